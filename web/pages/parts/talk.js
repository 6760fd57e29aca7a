// Phrases beside a match: what was said last, and what the user can say.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { withChecked } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";
import { change, settings } from "../../lib/settings.js";
import { PHRASES } from "../../lib/talk.js";

/** @param {import("../match.js").MatchPage} page */
export function talk({ talk: { said }, feed: { match, names }, runner, say, app }) {
  const people = match.seats.filter(({ player }) => player && !player.bot).length;
  if (people < 2 && said.length === 0) return nothing;
  const mute = (/** @type {boolean} */ on) => {
    change({ phrases: on });
    app.update();
  };
  return html`<section class="talk" aria-labelledby="talk-title">
    <h2 id="talk-title">${t("talk.title")}</h2>
    ${
      settings.phrases
        ? html`<div role="log">
            <ul class="plain-list">
              ${said.map(({ seat, phrase }) => html`<li><b>${names[seat]}</b> ${t(`talk.${phrase}`)}</li>`)}
            </ul>
          </div>`
        : nothing
    }
    <details class="more">
      <summary>${t("talk.say")}</summary>
      ${
        match.you === null
          ? nothing
          : html`<p class="row">
              ${PHRASES.map(
                (phrase) =>
                  html`<button type="button" ?disabled=${runner.busy} @click=${() => say(phrase)}>
                    ${t(`talk.${phrase}`)}
                  </button>`,
              )}
            </p>`
      }
      <label class="field check"
        ><input type="checkbox" .checked=${settings.phrases} @change=${withChecked(mute)} /><span
          >${t("talk.show")}</span
        ></label
      >
    </details>
  </section>`;
}

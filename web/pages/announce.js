// Announce a tournament: game, format, clock, who may enter. Terms never change once announced, so the form explains
// each choice.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import * as api from "../lib/api.js";
import { CLOCKS } from "../lib/clocks.js";
import { onSubmit, withText } from "../lib/events.js";
import { initials } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { announce } from "../lib/tournament.js";
import { clockField, flag, gameField, optionsField, pills } from "./parts/draft_fields.js";
import { PlayerPicker } from "./parts/player_picker.js";
import { Runner } from "./parts/runner.js";
import { POINTS, pointsFields, tieBreakFields } from "./parts/scoring.js";

/**
 * @typedef {import("../types").App} App
 * @typedef {import("../types").Game} Game
 * @typedef {import("../types").SeatHolder} SeatHolder
 * @typedef {import("../types").Terms} Terms
 * @typedef {ReturnType<typeof draftOf>} Draft
 */
const MINUTE = 60_000;
/** @type {Terms["format"][]} */
const FORMATS = ["swiss", "balanced", "complete", "knockout", "arena", "own"];
/** @type {Terms["admits"][]} */
const ADMITTED = ["people", "programs", "both"];
const WITH_ROUNDS = ["swiss", "balanced", "own"];
const NO_LATE_ENTRY = ["complete", "knockout"];

/** @param {string[]} _params @param {URLSearchParams} query @param {App} app */
export async function open(_params, query, app) {
  const games = await api.games(lang());
  const id = games.find((one) => one.id === query.get("game"))?.id ?? games[0].id;
  return new AnnouncePage(games, await api.game(id, lang()), app);
}

/** @param {Game} game */
const draftOf = (game) => ({
  title: "",
  description: "",
  starts_at: "",
  seats: game.seats[0],
  options: initials(game.options),
  format: FORMATS[0],
  rounds: 5,
  minutes: 60,
  advance: 1,
  clock: "quick",
  on_timeout: /** @type {Terms["on_timeout"]} */ ("forfeit"),
  admits: ADMITTED[0],
  late_entry: false,
  rotated: false,
  automatic: true,
  rated: false,
  signed: false,
  run_on: false,
  no_show: 5,
  correction: 30,
  most_entrants: 64,
  points: POINTS[game.seats[0]],
  tie_breaks: /** @type {Terms["tie_breaks"]} */ (["wins", "score_share", "opponents", "lot"]),
  invited_only: false,
  invited: /** @type {SeatHolder[]} */ ([]),
  forbidden: /** @type {SeatHolder[][]} */ ([]),
  arbiters: /** @type {SeatHolder[]} */ ([]),
});

const ids = (/** @type {SeatHolder[]} */ people) => people.map(({ id }) => id);

/** The body of the request to the service. @param {Draft} draft @param {Game} game */
const termsOf = (draft, game) => ({
  title: draft.title.trim(),
  description: draft.description.trim(),
  starts_at: draft.starts_at ? new Date(draft.starts_at).getTime() : null,
  game: game.id,
  options: draft.options,
  seats: draft.seats,
  format: draft.format,
  clock: CLOCKS[draft.clock],
  on_timeout: draft.on_timeout,
  admits: draft.admits,
  automatic: draft.automatic,
  rated: draft.rated && draft.admits !== "both",
  signed: draft.signed,
  ...(draft.run_on ? { max_returned_ms: 0 } : {}),
  no_show_ms: draft.no_show * MINUTE,
  correction_ms: draft.correction * MINUTE,
  most_entrants: draft.most_entrants,
  rotated: draft.rotated && draft.format !== "arena",
  late_entry: draft.late_entry && !NO_LATE_ENTRY.includes(draft.format),
  points: draft.points,
  tie_breaks: draft.tie_breaks,
  open_entry: !draft.invited_only,
  invited: draft.invited_only ? ids(draft.invited) : [],
  forbidden: draft.forbidden.map(ids).filter((group) => group.length > 1),
  arbiters: ids(draft.arbiters),
  ...(WITH_ROUNDS.includes(draft.format) ? { rounds: draft.rounds } : {}),
  ...(draft.format === "arena" ? { duration_ms: draft.minutes * MINUTE } : {}),
  ...(draft.format === "knockout"
    ? {
        advance: Math.min(draft.advance, draft.seats - 1),
        least_seats: Math.min(draft.seats, Math.max(game.seats[0], draft.advance + 1)),
      }
    : {}),
});

class AnnouncePage {
  /** @param {import("../types").GameSummary[]} games @param {Game} game @param {App} app */
  constructor(games, game, app) {
    this.games = games;
    this.game = game;
    this.app = app;
    this.draft = draftOf(game);
    this.picker = new PlayerPicker(app);
    this.runner = new Runner(app);
  }

  /** @param {Partial<Draft>} changes */
  change = (changes) => {
    Object.assign(this.draft, changes);
    if (this.draft.points.length !== this.draft.seats) this.draft.points = POINTS[this.draft.seats];
    this.app.update();
  };

  /** @param {string} id */
  choose = async (id) => {
    this.game = await api.game(id, lang());
    const { seats } = this.game;
    const options = initials(this.game.options);
    this.change({ seats: seats.includes(this.draft.seats) ? this.draft.seats : seats[0], options });
  };

  submit = () =>
    this.runner.run(
      async () => {
        await account();
        this.app.go(`#/tournament/${(await announce(termsOf(this.draft, this.game))).id}`);
      },
      { leaves: true },
    );

  title = () => t("announce.title");

  view() {
    const { draft, game, change } = this;
    return html`<p class="crumbs"><a href="#/tournaments">${t("tournaments.title")}</a></p>
      <form class="create" @submit=${onSubmit(this.submit)}>
        <h1 tabindex="-1">${t("announce.title")}</h1>
        <p class="lead">${t("announce.lead")}</p>
        ${this.runner.alert} ${titleField(draft)} ${aboutFields(draft)} ${gameField(this.games, game, this.choose)}
        ${playing(this)} ${clockField(draft, change)} ${entering(this)}
        ${check(this, "automatic")}${draft.format === "arena" ? nothing : check(this, "rotated")}
        ${optionsField(game, draft, change)} ${scoring(this)} ${people(this)} ${advanced(this)}
        <p class="row"><button class="main" ?disabled=${this.runner.busy}>${t("announce.submit")}</button></p>
      </form>`;
  }
}

/**
 * @param {AnnouncePage} page
 * @param {"late_entry" | "rotated" | "automatic" | "rated" | "signed" | "invited_only"} name
 */
const check = ({ draft, change }, name) => flag(draft, name, `announce.${name}`, change);

/**
 * @param {AnnouncePage} page
 * @param {"rounds" | "minutes" | "advance" | "no_show" | "correction" | "most_entrants"} name
 * @param {number} least
 * @param {number} most
 */
const number = ({ draft, change }, name, least, most) =>
  html`<label class="field"
    ><span>${t(`announce.${name}`)}</span
    ><input
      type="number"
      required
      min=${least}
      max=${most}
      .value=${live(String(draft[name]))}
      @change=${withText((text) => change({ [name]: Number(text) }))}
  /></label>`;

/** What the organiser says about the tournament, and when it is to start. @param {Draft} draft */
const aboutFields = (draft) =>
  html`<label class="field"
      ><span>${t("announce.description")}</span
      ><textarea
        maxlength="1000"
        .value=${live(draft.description)}
        @input=${withText((text) => {
          draft.description = text;
        })}
      ></textarea></label
    ><label class="field"
      ><span>${t("announce.starts_at")}</span
      ><input
        type="datetime-local"
        .value=${live(draft.starts_at)}
        @input=${withText((text) => {
          draft.starts_at = text;
        })}
    /></label>`;

/** @param {Draft} draft */
const titleField = (draft) =>
  html`<label class="field"
    ><span>${t("announce.name")}</span
    ><input
      type="text"
      required
      maxlength="120"
      .value=${live(draft.title)}
      @input=${withText((title) => {
        draft.title = title;
      })}
  /></label>`;

/** How many play at a table, and how the tables are paired. @param {AnnouncePage} page */
const playing = (page) => {
  const { draft, game, change } = page;
  return html`<fieldset>
      <legend>${t("seek.players")}</legend>
      ${pills("seats", game.seats, draft.seats, String, (seats) => change({ seats }))}
    </fieldset>
    <fieldset>
      <legend>${t("terms.format")}</legend>
      ${pills(
        "format",
        FORMATS,
        draft.format,
        (name) => t(`tournament.format.${name}`),
        (format) => change({ format }),
      )}
      <p class="faint">${t(`announce.format.${draft.format}`)}</p>
      ${
        WITH_ROUNDS.includes(draft.format) ? number(page, "rounds", 1, 200) : nothing
      }${draft.format === "arena" ? number(page, "minutes", 1, 43_200) : nothing}${
        draft.format === "knockout" ? number(page, "advance", 1, Math.max(1, draft.seats - 1)) : nothing
      }
    </fieldset>`;
};

/** Who may enter. @param {AnnouncePage} page */
const entering = (page) => {
  const { draft, change, picker } = page;
  return html`<fieldset>
    <legend>${t("terms.admits")}</legend>
    ${pills(
      "admits",
      ADMITTED,
      draft.admits,
      (name) => t(`terms.admits.${name}`),
      (admits) => change({ admits }),
    )}${draft.admits === "both" ? nothing : check(page, "rated")}${
      NO_LATE_ENTRY.includes(draft.format) ? nothing : check(page, "late_entry")
    }
    ${check(page, "invited_only")}${
      draft.invited_only
        ? picker.several("invited", t("announce.invited"), draft.invited, (invited) => change({ invited }))
        : nothing
    }
  </fieldset>`;
};

/** @param {AnnouncePage} page */
const scoring = ({ draft, change }) =>
  html`<details>
    <summary>${t("announce.scoring")}</summary>
    ${pointsFields(draft.points, (points) => change({ points }))}${tieBreakFields(draft.tie_breaks, (tie_breaks) =>
      change({ tie_breaks }),
    )}
  </details>`;

/** Who must not meet, in groups, and who decides disputes. @param {AnnouncePage} page */
const people = (page) => {
  const { draft, change, picker } = page;
  return html`<details>
    <summary>${t("announce.people")}</summary>
    <fieldset>
      <legend>${t("announce.forbidden")}</legend>
      <p class="faint">${t("announce.forbidden.hint")}</p>
      ${draft.forbidden.map((group, place) =>
        picker.several(`forbidden-${place}`, t("announce.group", { number: place + 1 }), group, (next) =>
          change({ forbidden: draft.forbidden.with(place, next) }),
        ),
      )}
      <div class="row">
        <button type="button" @click=${() => change({ forbidden: [...draft.forbidden, []] })}>
          ${t("announce.group_add")}
        </button>
      </div>
    </fieldset>
    <fieldset>
      <legend>${t("announce.arbiters")}</legend>
      <p class="faint">${t("announce.arbiters.hint")}</p>
      ${picker.several("arbiters", t("announce.find"), draft.arbiters, (arbiters) => change({ arbiters }))}
    </fieldset>
  </details>`;
};

/** @param {AnnouncePage} page */
const advanced = (page) =>
  html`<details>
    <summary>${t("create.advanced")}</summary>
    ${check(page, "signed")}${flag(page.draft, "run_on", "create.run_on", page.change)}
    <div class="grid">
      ${number(page, "no_show", 1, 43_200)}${number(page, "correction", 0, 43_200)}${number(
        page,
        "most_entrants",
        2,
        10_000,
      )}
    </div>
  </details>`;

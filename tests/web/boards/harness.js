// Shows one board in one position, without the page around it; tests drive it by `window.show`.
import { html, render } from "/web/vendor/lit-html/lit-html.js";

const calls = { chosen: null, proposed: null };
let shown = null;

async function load(game, language) {
  if (!document.querySelector(`link[data-game="${game}"]`)) {
    const link = Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      href: `/web/games/${game}/board.css`,
    });
    link.dataset.game = game;
    const loaded = new Promise((resolve) => link.addEventListener("load", resolve));
    document.head.append(link);
    await loaded;
  }
  const texts = await (await fetch(`/web/games/${game}/i18n/${language}.json`)).json();
  const { draw, prompt } = await import(`/web/games/${game}/board.js`);
  return { texts, draw, prompt };
}

function paint(changes = {}) {
  const { draw, context } = shown;
  render(html`${draw({ ...context, chosen: calls.chosen, ...changes })}`, document.querySelector("#place"));
}

window.calls = calls;
window.repaint = () => paint();
window.current = () => shown.context;
window.restart = () => {
  Object.assign(calls, { chosen: null, proposed: null });
  // Painting without moves clears an incomplete choice.
  paint({ moves: [] });
  paint();
};
window.missing = [];
/** The data of games, by game, data set and language; tests set each entry once. */
window.known = {};
window.show = async (game, language, position, key, settings = {}) => {
  const data = window.known[key];
  const { texts, draw, prompt } = await load(game, language);
  document.documentElement.lang = language;
  const t = (key, values = {}) => {
    if (!(key in texts)) window.missing.push(key);
    return (texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  };
  Object.assign(calls, { chosen: null, proposed: null });
  const context = {
    ...data,
    language,
    t,
    ...position,
    match: { to_act: position.to_act },
    interactive: true,
    reducedMotion: true,
    ...settings,
    choose: (index) => {
      calls.chosen = index;
      paint();
    },
    propose: (move) => {
      calls.proposed = move;
    },
  };
  shown = { draw, context };
  paint();
  return context.moves.length ? prompt(context) : "";
};

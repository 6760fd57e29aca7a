// A few short sounds, made by the browser itself; silent until the user switches them on.
import { settings } from "./settings.js";

/** @typedef {"move" | "turn" | "call" | "end"} Effect */
/** The tones of each effect: frequency in hertz, and when it begins, in seconds. @type {Record<Effect, number[][]>} */
const EFFECTS = {
  move: [[330, 0]],
  turn: [
    [659, 0],
    [880, 0.12],
  ],
  call: [
    [523, 0],
    [659, 0.12],
    [784, 0.24],
  ],
  end: [
    [784, 0],
    [659, 0.14],
    [523, 0.28],
    [784, 0.42],
  ],
};
const LOUDNESS = 0.12;
const TONE_S = 0.25;

/** @type {AudioContext | null} */ let context = null;

/** Play a sound, if the user wants sounds; browsers play none before the first click. @param {Effect} effect */
export function play(effect) {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const audio = context;
  void audio.resume().then(() => {
    for (const [frequency, delay] of EFFECTS[effect]) tone(audio, frequency, audio.currentTime + delay);
  });
}

/** @param {AudioContext} audio @param {number} frequency @param {number} at */
function tone(audio, frequency, at) {
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.type = "triangle";
  source.frequency.value = frequency;
  volume.gain.setValueAtTime(LOUDNESS, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + TONE_S);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + TONE_S);
}

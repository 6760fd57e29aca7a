// Runs the commands of a page: while one runs, buttons are disabled; if it fails, the page says why.
import { Untrusted } from "../../lib/trust.js";
import { alert } from "../problem.js";

export class Runner {
  busy = false;
  /** @type {unknown} */ problem = null;
  /**
   * What the service has broken: unlike other problems, it stays when the next command runs.
   * @type {Untrusted | null}
   */
  broken = null;

  /** @param {import("../../types").App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * @param {() => Promise<unknown>} command
   * @param {{leaves?: boolean}} [options] whether it opens another page: until then, the page stays busy
   */
  async run(command, { leaves = false } = {}) {
    this.busy = true;
    this.problem = null;
    this.app.update();
    try {
      await command();
      if (leaves) return;
    } catch (error) {
      this.fail(error);
    }
    this.busy = false;
    this.app.update();
  }

  /** @param {unknown} error */
  fail(error) {
    if (error instanceof Untrusted) this.broken ??= error;
    else this.problem = error;
    this.app.update();
  }

  /** Everything that the page has to say. */
  get problems() {
    return [this.broken, this.problem].filter(Boolean);
  }

  /** Why the last command failed. */
  get alert() {
    return this.problems.map((problem) => alert(problem, this.app));
  }
}

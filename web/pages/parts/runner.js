// Runs the commands of a page: while one runs, buttons are disabled; if it fails, the page says why.
import { nothing } from "../../vendor/lit-html/lit-html.js";
import { alert } from "../problem.js";

export class Runner {
  /** @param {import("../../types").App} app */
  constructor(app) {
    this.app = app;
    this.busy = false;
    /** @type {unknown} */ this.problem = null;
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
      this.problem = error;
    }
    this.busy = false;
    this.app.update();
  }

  /** Why the last command failed. */
  get alert() {
    return this.problem ? alert(this.problem, this.app) : nothing;
  }
}

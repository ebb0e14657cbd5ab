// One question and what becomes of it: the events of a run drawn as text, and what it asks the person.

function make(kind, className = "", text = "") {
  const element = document.createElement(kind);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

function button(text, className, press) {
  const element = make("button", className, text);
  element.type = "button";
  element.addEventListener("click", press);
  return element;
}

const put = (text, values) => Object.entries(values).reduce((all, [name, value]) => all.replaceAll(`{${name}}`, value), text);
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

export class RunView {
  constructor(chat, question, words, send) {
    this.words = words;
    this.send = send;
    this.run = "";
    this.step = 0;
    this.calls = new Map();
    this.asks = new Map();
    this.plan = null;
    this.place = make("article");
    this.work = make("details", "work");
    this.work.append(make("summary", "", words.working));
    this.thinking = make("div", "thinking");
    this.work.append(this.thinking);
    this.work.hidden = true;
    this.asked = make("div", "asked");
    this.asked.setAttribute("role", "alert");
    this.answer = make("div", "answer");
    this.answer.setAttribute("aria-live", "polite");
    this.place.append(make("div", "question", question), this.work, this.asked, this.answer);
    chat.append(this.place);
  }

  take(event) {
    this.run = this.run || event.run;
    if (event.parent) return;
    const draw = this[`on_${event.type}`];
    if (draw) draw.call(this, event);
  }

  // ---------------------------------------------------------------- work

  on_mode_selected(event) { this.mode = event.mode; }
  on_loop_start(event) { this.mode = event.mode; }
  on_phase_start(event) {
    if (event.phase === "approval") this.review();
    else this.closeReview();
    this.say(this.words.phases[event.phase] || event.phase);
  }

  on_thinking(event) { this.showWork(); this.thinking.append(event.text); }

  on_token(event) {
    if (event.step !== this.step) this.setAside();
    this.step = event.step;
    this.answer.append(event.text);
  }

  on_discard(event) { if (event.step === this.step) this.answer.textContent = ""; }

  on_reclassify(event) {
    if (event.to !== "thinking" || event.step !== this.step) return;
    this.on_thinking({ text: this.answer.textContent });
    this.answer.textContent = "";
  }

  on_tool_call(event) {
    this.setAside();
    const line = make("p", "call");
    line.append(make("span", "sign", "…"), " ", make("code", "", event.name));
    const more = make("details");
    more.append(make("summary", "", this.words.details), make("pre", "", shown(event.args)));
    line.append(more);
    this.calls.set(event.id, { line, more });
    this.showWork();
    this.work.append(line);
  }

  on_tool_result(event) {
    const call = this.calls.get(event.id);
    if (!call) return;
    call.line.querySelector(".sign").textContent = event.ok ? "✓" : "✗";
    call.line.classList.toggle("error", !event.ok);
    call.more.append(make("pre", "", event.summary || (event.error && event.error.message) || ""));
  }

  on_round_verdict(event) { if (event.missing) this.say(event.missing); }
  on_notice(event) { if (event.code === "plan_faults") this.planFaults(event.text); else this.say(this.words.notices[event.code] || event.text); }
  on_retry() { this.say(this.words.retry); }

  say(text) {
    if (!text) return;
    this.showWork();
    this.work.querySelector("summary").textContent = text;
  }

  showWork() { this.work.hidden = false; }

  // Text before a call belongs to its step.
  setAside() {
    if (!this.answer.textContent) return;
    this.showWork();
    this.work.append(make("p", "aside", this.answer.textContent));
    this.answer.textContent = "";
  }

  // ---------------------------------------------------------------- what it asks

  open(id, title, className) {
    const box = make("section", `ask ${className}`);
    box.append(make("h2", "", title));
    this.asks.set(id, box);
    this.asked.append(box);
    return box;
  }

  close(id) {
    const box = this.asks.get(id);
    if (box) box.remove();
    this.asks.delete(id);
  }

  async reply(box, path, body) {
    const controls = [...box.querySelectorAll("button, input, textarea")];
    controls.forEach((one) => { one.disabled = true; });
    box.querySelectorAll(".error").forEach((one) => one.remove());
    try {
      await this.send(`/api/runs/${this.run}/${path}`, body);
      return true;
    } catch (error) {
      controls.forEach((one) => { one.disabled = false; });
      box.append(make("p", "error", error.message));
      return false;
    }
  }

  on_approval(event) {
    const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
    const text = event.text[document.documentElement.lang.replace("-", "_")] || event.text[language];
    const box = this.open(event.id, text || put(this.words.wants, { tool: event.name }), "approval");
    const [head, ...rest] = event.rule.split(" ");
    const what = head === "class" ? this.words.classes[rest.join(" ")] || rest.join(" ") : rest.join(" ");
    box.append(make("p", "facts", put(this.words.rules[head] || event.rule, { what })));
    if (event.careful) box.append(make("p", "error", this.words.careful));
    for (const source of event.sources) box.append(make("p", "facts", put(this.words.source, { source })));
    for (const piece of event.private) box.append(make("p", "error", put(this.words.private, { piece })));
    const args = make("dl");
    for (const [name, value] of Object.entries(event.args)) args.append(make("dt", "", name), make("dd", "", shown(value)));
    box.append(args);
    const edited = make("textarea", "args");
    edited.rows = 6;
    edited.value = JSON.stringify(event.args, null, 2);
    edited.setAttribute("aria-label", this.words.arguments);
    const change = make("details");
    change.append(make("summary", "", this.words.change), edited);
    const reason = make("input", "reason");
    reason.placeholder = this.words.reason;
    reason.setAttribute("aria-label", this.words.reason);
    const answer = (choice) => {
      const body = { id: event.id, choice };
      if (choice === "deny") body.reason = reason.value;
      else if (change.open && edited.value !== JSON.stringify(event.args, null, 2)) {
        try { body.args = JSON.parse(edited.value); } catch { return void box.append(make("p", "error", this.words.no_json)); }
      }
      return this.reply(box, "approve", body);
    };
    const buttons = make("div", "buttons");
    for (const choice of event.choices) {
      if (choice !== "deny") buttons.append(button(this.words.choices[choice] || choice, choice === "once" ? "primary" : "", () => answer(choice)));
    }
    const refusal = make("div", "buttons");
    refusal.append(button(this.words.choices.deny, "deny", () => answer("deny")), reason);
    box.append(change, buttons, refusal);
  }

  on_approval_answer(event) { this.close(event.id); }

  on_question(event) {
    const box = this.open(event.id, event.text, "wanted");
    const answer = (text) => text && this.reply(box, "answer", { id: event.id, text });
    const options = make("div", "buttons");
    for (const option of event.options) options.append(button(option, "", () => answer(option)));
    const form = make("form");
    const field = make("input");
    field.setAttribute("aria-label", this.words.answer);
    form.append(field, make("button", "primary", this.words.answer));
    form.addEventListener("submit", (submitted) => { submitted.preventDefault(); answer(field.value.trim()); });
    box.append(options, form);
  }

  on_answer(event) { this.close(event.id); this.setAside(); }

  on_budget(event) {
    if (event.level !== "pause") return;
    this.close("budget");
    const kind = this.words.budgets[event.kind] || event.kind;
    const box = this.open("budget", put(this.words.used_up, { kind, used: Math.round(event.used), limit: event.limit }), "budget");
    const give = async (body) => { if (await this.reply(box, "control", body)) this.close("budget"); };
    const buttons = make("div", "buttons");
    buttons.append(
      button(this.words.answer_now, "primary", () => give({ order: "answer_now" })),
      button(put(this.words.raise, { limit: event.limit * 2 }), "", () => give({ order: "budget", limit: event.limit * 2 })),
    );
    box.append(buttons);
  }

  // ---------------------------------------------------------------- the plan

  on_plan(event) {
    this.plan = event;
    this.states = new Map(event.steps.map((one) => [one.step, one.status || "pending"]));
    this.drawPlan();
  }

  on_plan_step(event) {
    if (!this.plan) return;
    this.states.set(event.step, event.status);
    this.closeReview();
    this.drawPlan();
  }

  drawPlan() {
    if (!this.planBox) {
      this.planBox = make("section", "plan");
      this.place.insertBefore(this.planBox, this.asked);
    }
    const list = make("ol");
    for (const step of this.plan.steps) {
      const line = make("li", this.states.get(step.step));
      line.append(step.description || step.action);
      line.append(make("small", "", this.words.statuses[this.states.get(step.step)] || ""));
      list.append(line);
    }
    this.planBox.replaceChildren(make("h2", "", this.plan.goal), list);
  }

  // The plan waits: its steps can be reworded, given other arguments, moved up or left out.
  review() {
    if (!this.plan || this.asks.has("plan")) return;
    this.planBox.hidden = true;
    const box = this.open("plan", this.plan.goal, "review");
    const list = make("ol");
    const begun = this.plan.steps.filter((one) => (one.status || "pending") !== "pending").length;
    for (const step of this.plan.steps) list.append(this.editedStep(step, list, step.step <= begun));
    const buttons = make("div", "buttons");
    buttons.append(button(this.words.run_plan, "primary", () => this.submit(box, list)));
    if (begun) buttons.append(button(this.words.keep_plan, "", () => this.reply(box, "plan", { keep: true })));
    box.append(list, buttons);
  }

  editedStep(step, list, isDone) {
    const line = make("li");
    line.step = step;
    line.isDone = isDone;
    if (isDone) {
      line.append(step.description || step.action);
      return line;
    }
    const text = make("input");
    text.value = step.description;
    text.setAttribute("aria-label", this.words.step);
    const params = make("textarea");
    params.rows = 3;
    params.value = JSON.stringify(step.params, null, 1);
    params.setAttribute("aria-label", this.words.arguments);
    const more = make("details");
    more.append(make("summary", "", step.action === "none" ? this.words.no_tool : step.action), params);
    const up = button("↑", "", () => line.previousElementSibling && !line.previousElementSibling.isDone && list.insertBefore(line, line.previousElementSibling));
    up.setAttribute("aria-label", this.words.up);
    line.append(text, up, button(this.words.leave_out, "", () => line.remove()), more);
    line.read = () => ({ ...step, description: text.value, params: JSON.parse(params.value) });
    return line;
  }

  // Numbers follow the order; a need of a step that was left out goes with it.
  submit(box, list) {
    const lines = [...list.children];
    const numbers = new Map(lines.map((line, place) => [line.step.step, place + 1]));
    const renumbered = (value) => {
      const text = JSON.stringify(value).replace(/\$(\d+)(?=[."])/g, (all, n) => (numbers.has(+n) ? `$${numbers.get(+n)}` : all));
      return JSON.parse(text);
    };
    try {
      const steps = lines.map((line, place) => {
        const step = line.read ? line.read() : line.step;
        const needs = (step.needs || []).filter((n) => numbers.has(n)).map((n) => numbers.get(n));
        return { ...step, step: place + 1, needs, params: renumbered(step.params) };
      });
      return this.reply(box, "plan", { goal: this.plan.goal, steps });
    } catch {
      return box.append(make("p", "error", this.words.no_json));
    }
  }

  planFaults(text) {
    this.closeReview();
    this.review();
    this.asks.get("plan").append(make("p", "error", text));
  }

  closeReview() {
    this.close("plan");
    if (this.planBox) this.planBox.hidden = false;
  }

  // ---------------------------------------------------------------- the end

  on_loop_end(event) {
    this.end();
    this.answer.textContent = event.answer;
    const tokens = put(this.words.tokens, { n: (event.usage.input + event.usage.output).toLocaleString("en") });
    const facts = [this.words.modes[this.mode] || this.mode, this.words.stops[event.stop_reason] || "", tokens, put(this.words.seconds, { n: event.seconds.toFixed(1) })];
    this.place.append(make("div", "facts end", facts.filter(Boolean).join(" · ")));
  }

  on_loop_error(event) {
    this.end();
    this.answer.textContent = event.partial;
    const known = event.reason === "cancelled" ? { what: this.words.stopped, do: "" } : this.words.errors[event.error.code];
    const text = known ? put(known.what, { message: event.error.message }) : event.error.message;
    this.fail(text.includes("{") ? event.error.message : text, known ? known.do : event.error.hint);
  }

  fail(text, hint = "") {
    this.place.append(make("p", "error", text));
    if (hint && !hint.includes("{")) this.place.append(make("p", "facts", hint));
  }

  // Nothing waits any more, however it ended.
  end() {
    for (const id of [...this.asks.keys()]) this.close(id);
    if (this.planBox) this.planBox.hidden = false;
    this.work.querySelector("summary").textContent = put(this.words.work, { n: this.calls.size });
    this.work.hidden = !this.calls.size && !this.thinking.textContent && !this.work.querySelector(".aside");
  }
}

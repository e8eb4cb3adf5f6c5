/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, numbers as text, and what is chosen. */

/** An element: make("td", {className: "name"}, "text", child) */
function make(tag, properties, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else if (name in element && name !== "list") element[name] = value
    else element.setAttribute(name, value)
  }
  element.append(...children.filter(child => child !== null && child !== undefined))
  return element
}

const byId = id => document.getElementById(id)

const decimals = digits => new Intl.NumberFormat("en", {minimumFractionDigits: digits, maximumFractionDigits: digits})
const whole = decimals(0), tenth = decimals(1), hundredth = decimals(2)
const asCount = value => whole.format(value)
const asMean = value => value === null ? "" : tenth.format(value)
const asShare = value => value === null ? "" : hundredth.format(value) + " %"
const asChange = value => value === null ? "" : (value > 0 ? "+" : value < 0 ? "\u2212" : "") + hundredth.format(Math.abs(value))
const percent = (part, all) => all ? 100 * part / all : 0
const ratio = (part, all) => all ? 100 * part / all : null
const shortName = path => path.slice(path.lastIndexOf("/") + 1)

/** 95 of 100 errors of a share by chance are below this, in percent: of n samples, k of them. The farther
 * end of Wilson's score interval, which holds for few samples and for shares near 0 and 100 % too. */
function errorBound(k, n) {
  if (!n) return 100
  const p = k / n, z = 1.96, spread = 1 + z * z / n
  const middle = (p + z * z / (2 * n)) / spread
  return 100 * (Math.abs(middle - p) + z / spread * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)))
}

/** The same of a run, of which every cycle may be known */
const chanceOf = (run, k, n) => run.exact ? 0 : errorBound(k, n)

/** 95 of 100 differences between two shares that are estimates of the same one are below this */
function changeBound(k1, n1, k2, n2) {
  if (!n1 || !n2) return 100
  const p = (k1 + k2) / (n1 + n2)
  return 196 * Math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))
}

/** A time of the run as text, from ticks of `time` */
function asTime(ticks, run) {
  const seconds = ticks / run.timeClock
  if (seconds < 1e-3) return tenth.format(seconds * 1e6) + " \u00b5s"
  if (seconds < 1) return hundredth.format(seconds * 1e3) + " ms"
  return hundredth.format(seconds) + " s"
}

/** The reader's choices; every change shows the view again. */
const chosen = {tab: "summary", run: 0, other: -1, metric: "samples", search: "", code: null}

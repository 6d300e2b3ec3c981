// Plots of numbers over time: any element of a field, as many as fit, with zoom and CSV.
import {short} from './math.js';
import {byId, el, iconButton, save} from './widgets.js';

const COLORS = ['#c8603a', '#3a7fc8', '#3f9d62', '#8a63c9', '#c99a2e', '#3aa6a6', '#c74f83', '#7a8794'];
const KEPT = 60000;

export class Plots {
  constructor(app) {
    this.app = app;
    this.series = [];
    this.window = 10;
    this.range = null;
    this.canvas = el('canvas', {'aria-label': 'Plot; scroll to zoom, drag to select a span, double-click to follow'});
    this.legend = el('div', {class: 'legend'});
    this.field = el('input', {type: 'text', placeholder: 'field, e.g. qvel 2', size: 14, 'aria-label': 'Field and index to plot',
      onkeydown: event => { if (event.key === 'Enter') this.addTyped(); event.stopPropagation(); }});
    byId('plots').append(
      el('header', {}, el('strong', {}, 'Plots'), this.field,
        el('button', {class: 'plain', onclick: () => this.addTyped()}, 'Add'),
        el('button', {class: 'plain', onclick: () => this.csv()}, 'CSV'),
        el('button', {class: 'plain', onclick: () => this.clear()}, 'Clear'),
        iconButton('close', 'Close plots', () => this.toggle(false))),
      this.canvas, this.legend);
    this.canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.window = Math.min(600, Math.max(0.02, this.window * Math.exp(event.deltaY * 0.001)));
      this.range = null;
    }, {passive: false});
    let start = null;
    const at = event => {
      const box = this.canvas.getBoundingClientRect(), [from, to] = this.span();
      return from + (to - from) * (event.clientX - box.left) / box.width;
    };
    this.canvas.addEventListener('pointerdown', event => { start = at(event); });
    this.canvas.addEventListener('pointerup', event => {
      const end = at(event);
      if (start !== null && Math.abs(end - start) > 1e-3) this.range = [Math.min(start, end), Math.max(start, end)];
      start = null;
    });
    this.canvas.addEventListener('dblclick', () => { this.range = null; });
  }

  toggle(show = byId('plots').hidden) {
    byId('plots').hidden = !show;
  }

  addTyped() {
    const [name, index = '0'] = this.field.value.trim().split(/[\s[\].]+/);
    if (!name) return;
    this.app.source.send(`watch ${name.replace(/\W/g, '')} ${Math.max(0, parseInt(index, 10) || 0)}`);
    this.field.value = '';
  }

  add(name, index, label) {
    this.labels = {...this.labels, [`${name} ${index}`]: label};
    this.app.source.send(`watch ${name} ${index}`);
    this.toggle(true);
  }

  clear() {
    for (const {name, index} of this.series) this.app.source.send(`unwatch ${name} ${index}`);
  }

  // Which numbers the server sends, in order.
  setWatched(watch) {
    const same = watch.length === this.series.length
      && watch.every(({name, index}, i) => name === this.series[i].name && index === this.series[i].index);
    if (same) return;
    this.series = watch.map(({name, index}) => this.series.find(s => s.name === name && s.index === index)
      || {name, index, times: [], values: [], label: this.labels?.[`${name} ${index}`] || `${name}[${index}]`});
    this.legend.replaceChildren(...this.series.map((s, i) => {
      const mark = el('i');
      mark.style.setProperty('--color', COLORS[i % COLORS.length]);
      s.output = el('span');
      return el('button', {title: 'Remove', onclick: () => this.app.source.send(`unwatch ${s.name} ${s.index}`)},
        mark, s.label, s.output);
    }));
    if (watch.length) this.toggle(true);
  }

  append({width, times, values}) {
    if (width !== this.series.length) return;
    this.series.forEach((s, k) => {
      // after a step back in time, what was later is forgotten
      while (times.length && s.times.length && s.times[s.times.length - 1] >= times[0]) { s.times.pop(); s.values.pop(); }
      for (let i = 0; i < times.length; i++) {
        s.times.push(times[i]);
        s.values.push(values[i * width + k]);
      }
      if (s.times.length > KEPT) { s.times.splice(0, KEPT / 4); s.values.splice(0, KEPT / 4); }
    });
  }

  span() {
    if (this.range) return this.range;
    const end = Math.max(0, ...this.series.map(s => s.times[s.times.length - 1] ?? 0));
    return [end - this.window, end];
  }

  draw() {
    if (byId('plots').hidden) return;
    const box = this.canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, {width, height});
    const g = this.canvas.getContext('2d'), style = getComputedStyle(document.documentElement);
    const [line, quiet] = ['--line', '--quiet'].map(name => style.getPropertyValue(name));
    const [from, to] = this.span();
    let [low, high] = [Infinity, -Infinity];
    for (const s of this.series)
      for (let i = 0; i < s.times.length; i++)
        if (s.times[i] >= from && s.times[i] <= to && Number.isFinite(s.values[i])) {
          low = Math.min(low, s.values[i]);
          high = Math.max(high, s.values[i]);
        }
    if (!(low <= high)) [low, high] = [0, 1];
    const pad = 0.08 * (high - low) || 0.5;
    low -= pad;
    high += pad;
    const left = 48 * ratio, bottom = 18 * ratio, top = 6 * ratio, right = 6 * ratio;
    const x = t => left + (t - from) / (to - from || 1) * (width - left - right);
    const y = v => height - bottom - (v - low) / (high - low) * (height - bottom - top);
    g.clearRect(0, 0, width, height);
    g.font = `${11 * ratio}px system-ui, sans-serif`;
    g.fillStyle = quiet;
    g.strokeStyle = line;
    g.lineWidth = ratio;
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    for (const v of ticks(low, high, Math.max(2, height / (44 * ratio)))) {
      g.beginPath(); g.moveTo(left, y(v)); g.lineTo(width - right, y(v)); g.stroke();
      g.fillText(short(v, 3), left - 6 * ratio, y(v));
    }
    g.textAlign = 'center';
    for (const t of ticks(from, to, Math.max(2, width / (90 * ratio))))
      if (t >= 0) g.fillText(short(t, 5), x(t), height - bottom / 2);
    g.lineWidth = 1.6 * ratio;
    g.lineJoin = 'round';
    this.series.forEach((s, k) => {
      g.strokeStyle = COLORS[k % COLORS.length];
      g.beginPath();
      let pen = false;
      for (let i = 0; i < s.times.length; i++) {
        if (s.times[i] < from || s.times[i] > to) continue;
        if (pen) g.lineTo(x(s.times[i]), y(s.values[i])); else g.moveTo(x(s.times[i]), y(s.values[i]));
        pen = true;
      }
      g.stroke();
      s.output.textContent = short(s.values[s.values.length - 1]);
    });
    if (!this.series.length) {
      g.fillText('Add a field, or press the curve beside a joint, control or sensor', width / 2, height / 2);
    }
  }

  csv() {
    const times = [...new Set(this.series.flatMap(s => s.times))].sort((a, b) => a - b);
    const columns = this.series.map(s => new Map(s.times.map((t, i) => [t, s.values[i]])));
    const lines = times.map(t => [t, ...columns.map(column => column.get(t) ?? '')].join(','));
    save('plot.csv', [['time', ...this.series.map(s => `${s.name}[${s.index}]`)].join(','), ...lines, ''].join('\n'), 'text/csv');
  }
}

// Round numbers between two others.
function ticks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= raw) || power;
  const list = [];
  for (let v = Math.ceil(low / step) * step; v <= high && list.length < 100; v += step) list.push(+v.toPrecision(12));
  return list;
}

// Lines of a program's figure, each a list of points.
export function drawLines(canvas, title, lines) {
  const g = canvas.getContext('2d'), points = lines.flat(), {width, height} = canvas;
  const bounds = k => [Math.min(...points.map(p => p[k])), Math.max(...points.map(p => p[k]))];
  const [[x0, x1], [y0, y1]] = points.length ? [bounds(0), bounds(1)] : [[0, 1], [0, 1]];
  const at = ([x, y]) => [8 + (x - x0) / (x1 - x0 || 1) * (width - 16), height - 8 - (y - y0) / (y1 - y0 || 1) * (height - 30)];
  g.fillStyle = '#000a';
  g.fillRect(0, 0, width, height);
  g.fillStyle = '#fff';
  g.font = '12px system-ui, sans-serif';
  g.fillText(title, 8, 15);
  g.lineWidth = 1.5;
  lines.forEach((line, i) => {
    g.strokeStyle = COLORS[i % COLORS.length];
    g.beginPath();
    line.forEach((p, k) => { if (k) g.lineTo(...at(p)); else g.moveTo(...at(p)); });
    g.stroke();
  });
}

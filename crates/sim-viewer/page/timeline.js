// What the time line tells about the past: contacts, warnings, and small pictures.
import {byId, el} from './widgets.js';

const WIDTH = 144, HEIGHT = 81;
// Pictures that are kept, and seconds between them.
const MOST = 240, GAP = 0.2;

export class Timeline {
  constructor(app) {
    this.app = app;
    this.pictures = [];
    this.marks = byId('marks');
    const input = byId('timeline');
    input.addEventListener('pointermove', event => this.show(event));
    for (const name of ['pointerleave', 'pointercancel']) input.addEventListener(name, () => { byId('thumb').hidden = true; });
  }

  clear() { this.pictures = []; }

  // Keeps a small copy of what was drawn just now.
  keep(time, canvas) {
    const near = this.pictures.findIndex(picture => Math.abs(picture.time - time) < GAP);
    if (near >= 0 && this.pictures[near] === this.last) return;
    const {width, height} = canvas, part = Math.min(width / WIDTH, height / HEIGHT);
    const small = el('canvas', {width: WIDTH, height: HEIGHT});
    small.getContext('2d').drawImage(canvas, (width - part * WIDTH) / 2, (height - part * HEIGHT) / 2,
      part * WIDTH, part * HEIGHT, 0, 0, WIDTH, HEIGHT);
    this.last = {time, small};
    if (near >= 0) this.pictures[near] = this.last;
    else this.pictures.push(this.last);
    // of many, every second one goes
    if (this.pictures.length > MOST) this.pictures = this.pictures.filter((_, i) => i % 2);
  }

  // The simulated time of a part of the line.
  at(part) {
    const {times, span} = this.app.status;
    return times?.length ? times[Math.min(times.length - 1, Math.floor(part * times.length))] : span[0] + part * (span[1] - span[0]);
  }

  show(event) {
    const box = byId('timeline').getBoundingClientRect(), thumb = byId('thumb');
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    if (!this.app.status || event.pointerType === 'touch') return;
    const time = this.at(part);
    const distance = picture => Math.abs(picture.time - time);
    const best = this.pictures.reduce((a, b) => a && distance(a) <= distance(b) ? a : b, null);
    thumb.replaceChildren(...(best ? [best.small] : []), `${time.toFixed(2)} s`);
    thumb.hidden = false;
    const width = thumb.offsetWidth;
    thumb.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, event.clientX - width / 2))}px`;
    thumb.style.bottom = `${innerHeight - box.top + 14}px`;
  }

  // Bars for contacts, and a stroke wherever a warning was raised.
  draw({touching, warned}) {
    const {marks} = this, ratio = devicePixelRatio || 1;
    const width = Math.round(marks.clientWidth * ratio), height = Math.round(marks.clientHeight * ratio);
    if (!touching || !width) return;
    const key = `${touching} ${warned} ${width} ${this.app.currentTheme}`;
    if (key === this.drawn) return;
    this.drawn = key;
    Object.assign(marks, {width, height});
    const g = marks.getContext('2d'), style = getComputedStyle(marks);
    const most = Math.max(4, ...touching), unit = width / touching.length;
    touching.forEach((count, i) => {
      g.fillStyle = style.getPropertyValue(warned[i] ? '--warning' : '--quiet');
      g.globalAlpha = warned[i] ? 1 : 0.35;
      const tall = warned[i] ? height : Math.ceil(count / most * height * 0.8);
      g.fillRect(i * unit, height - tall, Math.max(1, unit - (unit > 3 ? 1 : 0)), tall);
    });
  }
}

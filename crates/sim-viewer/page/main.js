// The page: input, the loop that draws, and what connects the parts.
import {OrbitCamera} from './camera.js';
import {multiply4, project, short} from './math.js';
import {EFFECTS, Panels, VISUAL} from './panels.js';
import {Plots, drawLines} from './plots.js';
import {SceneRenderer} from './renderer.js';
import {LiveSource, ReplaySource, replayIn} from './source.js';
import {Timeline} from './timeline.js';
import {byId, copy, el, endNotice, fromBase64, iconButton, notice, save, setIcon} from './widgets.js';

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10];
const MOVE_V = 3, MOVE_H = 4, ROTATE_V = 1, ROTATE_H = 2, TRANSLATE = 1, ROTATE = 2;
const GEOM_OBJECT = 5, SITE_OBJECT = 6;
const small = () => innerWidth <= 820;

class App {
  constructor() {
    this.canvas = byId('canvas');
    this.overlay = byId('overlay');
    this.camera = new OrbitCamera();
    this.flags = {shadow: true, wireframe: false, reflection: true, additive: false, skybox: true, fog: false,
      haze: true, depth: false, segment: false, idcolor: false, cullface: true};
    this.flagChips = {};
    // #quality=low draws fewer pixels, for computers without a graphics device
    if (new URLSearchParams(location.hash.slice(1)).get('quality') === 'low') {
      this.ratio = 0.4;
      Object.assign(this.flags, {shadow: false, reflection: false});
    }
    this.selected = 0;
    this.drawn = 0;
    this.pulling = false;
    this.cameraViews = new Map();
    try {
      this.renderer = new SceneRenderer(this.canvas);
    } catch (error) {
      // without WebGL the server draws
      this.renderer = null;
      this.noWebGL = String(error.message || error);
    }
    this.setTheme(this.theme());
    this.panels = new Panels(this);
    const replay = byId('replay');
    document.body.classList.toggle('replay', !!replay);
    this.source = replay ? new ReplaySource(this, replay.textContent.trim()) : new LiveSource(this);
    this.plots = new Plots(this);
    this.timeline = new Timeline(this);
    this.buildBars();
    this.listen();
    const ui = new URLSearchParams(location.search).get('ui');
    document.body.classList.toggle('bare', ui === '0');
    const hidden = new URLSearchParams(location.hash.slice(1)).get('hide') || '';
    this.showSide('left', !small() && innerWidth > 1080 && !replay && !hidden.includes('left'));
    this.showSide('right', !small() && !replay && !hidden.includes('right'));
    requestAnimationFrame(now => this.loop(now));
  }

  // what arrives

  onOpen() { endNotice(); }

  onScene(scene) {
    const first = !this.scene || this.scene.title !== scene.title
      || this.scene.bodies.length !== scene.bodies.length;
    this.scene = scene;
    this.frame = null;
    this.timeline?.clear();
    this.anchor = null;
    document.title = `${scene.title} · CortenForge`;
    byId('title').textContent = scene.title;
    const [nq, , nu, nbody, ngeom] = scene.sizes;
    byId('sizes').textContent = `${nbody - 1} bodies · ${ngeom} geoms · ${nq} positions · ${nu} controls`;
    if (this.renderer) this.renderer.setScene(scene);
    this.selected = 0;
    this.panels.build(scene);
    if (first) {
      this.lookHome();
      this.fromAddress();
    }
    this.panels.camera.show(this.camera.fixed + 1);
    this.names = [
      ...scene.bodies.map((name, i) => ({name, kind: 'body', go: () => this.select(i)})),
      ...scene.joints.map(joint => ({name: joint.name, kind: 'joint', go: () => this.select(joint.body)})),
      ...scene.geoms.map((name, i) => ({name, kind: 'geom', go: () => this.select(scene.geombody[i])})),
      ...scene.sites.map((name, i) => ({name, kind: 'site', go: () => this.select(scene.sitebody[i])})),
      ...scene.actuators.map((actuator, i) => ({name: actuator.name, kind: 'actuator', go: () => this.plots.add('ctrl', i, actuator.name)})),
      ...scene.sensors.map(sensor => ({name: sensor.name, kind: 'sensor', go: () => this.plots.add('sensordata', sensor.adr, sensor.name)})),
      ...scene.tendons.map((name, i) => ({name, kind: 'tendon', go: () => this.plots.add('ten_length', i, name)})),
      ...scene.cameras.map((camera, i) => ({name: camera.name, kind: 'camera', go: () => this.useCamera(i)})),
      ...scene.keys.map((name, i) => ({name, kind: 'keyframe', go: () => this.source.send(`key ${i}`)})),
    ].filter(item => item.name);
  }

  onTable(table) {
    this.table = table;
    if (this.renderer) this.renderer.setTable(table);
  }

  onFrame(frame) {
    this.frame = frame;
    this.fresh = true;
    // many simulations need the room
    if (frame.worlds && !this.spread) {
      this.spread = true;
      this.showSide('left', false);
      this.showSide('right', false);
    }
    this.plots.append(frame.samples);
  }

  onStatus(status) {
    this.status = status;
    if (this.source.live) this.selected = status.selected;
    this.showTransport();
    this.showError(status.error || '');
    this.plots.setWatched(status.watch || []);
    if (status.vis) this.panels.onStatus(status);
  }

  onNote(note) {
    if (note.type === 'role') {
      this.controls = note.controls;
      document.body.classList.toggle('watching', !note.controls);
      if (!note.controls)
        notice('Another page is in control.', el('button', {class: 'plain', onclick: () => this.source.send('control')}, 'Take control'));
      else endNotice();
    } else if (note.type === 'pose') copy(note.text, 'Pose');
    else if (note.type === 'file') save(note.name, note.text);
    else if (note.type === 'binary') save(note.name, new Blob([fromBase64(note.text)]));
    else if (note.type === 'camera') this.takeCamera(note);
    else if (note.type === 'texts') this.texts = note.texts;
    else if (note.type === 'images' || note.type === 'figures') this.showPinned(note.type, note[note.type]);
    else if (note.type === 'notice') notice(note.text);
  }

  // Images and figures of a program, in rectangles from the lower left.
  showPinned(kind, items) {
    document.querySelectorAll(`.pinned.${kind}`).forEach(element => element.remove());
    for (const {rect: [left, bottom, width, height], data, title, lines} of items) {
      const element = kind === 'images' ? el('img', {class: `pinned ${kind}`, alt: 'Image of the program', src: `data:image/png;base64,${data}`})
        : el('canvas', {class: `pinned ${kind}`, width, height, title});
      Object.assign(element.style, {left: `${left}px`, bottom: `${bottom}px`, width: `${width}px`, height: `${height}px`});
      document.body.append(element);
      if (kind === 'figures') drawLines(element, title, lines);
    }
  }

  takeCamera({lookat, distance, azimuth, elevation, fixed, track = -1}) {
    this.track(track);
    Object.assign(this.camera, {lookat, distance, azimuth, elevation, fixed});
    this.panels.camera?.show(fixed + 1);
  }

  async onImage({camera, blob}) {
    this.waiting?.delete(camera);
    const image = camera < 0 ? byId('picture') : this.cameraViews.get(camera)?.image;
    if (!image) return;
    const url = URL.createObjectURL(blob), old = image.src;
    image.onload = () => { if (old.startsWith('blob:')) URL.revokeObjectURL(old); };
    image.src = url;
    if (camera < 0) { image.hidden = false; this.pictures = (this.pictures || 0) + 1; }
  }

  onClosed(code) {
    if (code === 1001 || code === 1006) notice('The simulation has ended, or cannot be reached.', '');
  }

  // what the user sees

  view() {
    const box = this.canvas.getBoundingClientRect();
    return this.camera.view(this.scene, this.frame, box.width / box.height);
  }

  loop(now) {
    requestAnimationFrame(next => this.loop(next));
    this.source.tick(now);
    if (!this.scene || !this.frame) return;
    this.camera.follow(this.frame);
    this.flushDrag();
    const ratio = this.ratio || Math.min(devicePixelRatio || 1, 2);
    const box = this.canvas.getBoundingClientRect();
    const width = Math.max(1, Math.round(box.width * ratio)), height = Math.max(1, Math.round(box.height * ratio));
    const resized = this.canvas.width !== width || this.canvas.height !== height;
    if (resized && this.renderer) Object.assign(this.canvas, {width, height});
    const view = this.view(), key = JSON.stringify([[...view.matrix], [...view.projection], this.flags]);
    if (this.fresh || resized || key !== this.lastKey) {
      this.lastKey = key;
      if (this.renderer) {
        this.drawScene(view);
        if (this.fresh && this.status && !this.status.paused) this.timeline.keep(this.frame.time, this.canvas);
      }
      this.drawOverlay(view, ratio, width, height);
      this.drawn++;
      if (this.fresh && this.source.live) this.source.send('ack');
      this.fresh = false;
    }
    if (now - (this.panelTime || 0) > 66) {
      this.panelTime = now;
      this.panels.onFrame(this.frame);
      this.plots.draw();
      byId('clock').textContent = `${this.frame.time.toFixed(2)} s`;
      this.askForPictures(now);
    }
  }

  // The scene, or a grid of them.
  drawScene(view) {
    const {worlds} = this.frame, {width, height} = this.canvas;
    if (!worlds) { this.renderer.draw(this.frame, view, this.flags); return; }
    const [columns, rows] = this.grid(worlds.length, width / height);
    const [top, bottomEdge] = ['top', 'bottom'].map(id => Math.round((byId(id).offsetHeight ? byId(id).offsetHeight + 24 : 0) * height / this.canvas.clientHeight));
    const w = Math.floor(width / columns), h = Math.floor((height - top - bottomEdge) / rows);
    this.renderer.clear();
    // shadows of many simulations cost more than they tell
    const flags = worlds.length > 16 ? {...this.flags, shadow: false, reflection: false} : this.flags;
    worlds.forEach((world, i) => {
      const left = (i % columns) * w, bottom = height - top - (Math.floor(i / columns) + 1) * h;
      this.renderer.draw(world, this.tileView(world, w / h), flags, [left + 2, bottom + 2, w - 4, h - 4]);
    });
  }

  // The free camera stays as far from the first moving body of each simulation as at the start.
  tileView(world, aspect) {
    const {camera} = this, [x, y] = world.poses;
    if (camera.fixed >= 0 || camera.track >= 0 || x === undefined) return camera.view(this.scene, world, aspect);
    this.anchor ||= [x, y];
    const {lookat} = camera;
    camera.lookat = [lookat[0] + x - this.anchor[0], lookat[1] + y - this.anchor[1], lookat[2]];
    const view = camera.view(this.scene, world, aspect);
    camera.lookat = lookat;
    return view;
  }

  // Columns and rows with the largest tiles, and of those the fewest that stay empty.
  grid(count, aspect) {
    let best = null;
    for (let columns = 1; columns <= count; columns++) {
      const rows = Math.ceil(count / columns), size = Math.min(aspect / columns / 1.2, 1 / rows), empty = columns * rows - count;
      if (!best || size > best.size + 1e-9 || (size > best.size - 1e-9 && empty < best.empty)) best = {columns, rows, size, empty};
    }
    return [best.columns, best.rows];
  }

  // Labels and texts over the picture.
  drawOverlay(view, ratio, width, height) {
    const {labels} = this.frame, texts = this.texts || [];
    if (!labels.length && !texts.length && !this.overlaid) return;
    this.overlaid = labels.length + texts.length > 0;
    if (this.overlay.width !== width || this.overlay.height !== height) Object.assign(this.overlay, {width, height});
    const g = this.overlay.getContext('2d'), matrix = multiply4(view.projection, view.matrix);
    g.clearRect(0, 0, width, height);
    g.font = `${12 * ratio}px system-ui, sans-serif`;
    g.textAlign = 'center';
    g.lineWidth = 3 * ratio;
    g.strokeStyle = '#000a';
    g.fillStyle = '#fff';
    g.lineJoin = 'round';
    for (const {pos, text} of labels) {
      const at = project(matrix, pos);
      if (!at || Math.abs(at[0]) > 1 || Math.abs(at[1]) > 1 || at[2] > 1) continue;
      const x = (at[0] + 1) / 2 * width, y = (1 - at[1]) / 2 * height;
      g.strokeText(text, x, y);
      g.fillText(text, x, y);
    }
    const corners = [[0, 0], [1, 0], [0, 1], [1, 1], [.5, 0], [.5, 1], [0, .5], [1, .5]];
    for (const {place, left, right} of texts) {
      const [u, v] = corners[place] || [0, 0];
      g.textAlign = u === 0 ? 'left' : u === 1 ? 'right' : 'center';
      const lines = [left, right].filter(Boolean).join('  ').split('\n');
      lines.forEach((line, i) => {
        const x = 24 * ratio + u * (width - 48 * ratio);
        const y = (90 * ratio + v * (height - 180 * ratio)) + 16 * ratio * i;
        g.strokeText(line, x, y);
        g.fillText(line, x, y);
      });
    }
  }

  showTransport() {
    const {paused, speed, history: [place, count], factor, contacts, iterations, cost} = this.status;
    setIcon(this.playButton, paused ? 'play' : 'pause', paused ? 'Play (Space)' : 'Pause (Space)');
    const timeline = byId('timeline');
    timeline.max = Math.max(0, count - 1);
    if (!this.scrubbing) timeline.value = place;
    timeline.style.setProperty('--part', `${100 * (count > 1 ? timeline.value / (count - 1) : 1)}%`);
    const known = SPEEDS.reduce((a, b) => Math.abs(Math.log(b / speed)) < Math.abs(Math.log(a / speed)) ? b : a);
    if (document.activeElement !== this.speedSelect) this.speedSelect.value = known;
    this.timeline.draw(this.status);
    if (factor !== undefined)
      byId('stats').textContent = [paused ? 'paused' : `${short(factor, 2)}× real time`, `${contacts} contacts`,
        `${iterations} iterations`, `${short(cost, 3)} µs/step`].join(' · ');
  }

  // A report of the loader: sentence, place, and the marked line of the source.
  showError(text) {
    if (text === this.shownError) return;
    this.shownError = text;
    const box = byId('error');
    box.hidden = !text;
    if (!text) return;
    const [first, ...rest] = text.split('\n');
    const help = rest.filter(line => /^\s*= help:/.test(line)).map(line => line.replace(/^\s*= help:\s*/, ''));
    const place = rest.find(line => /^\s*-->/.test(line))?.replace(/^\s*-->\s*/, '');
    const quote = rest.filter(line => !/^\s*(-->|= help:)/.test(line));
    const children = [el('h3', {}, first.replace(/^error: /, ''))];
    if (place) children.push(el('div', {class: 'hint'}, place));
    if (quote.length) {
      const pre = el('pre');
      quote.forEach(line => pre.append(/\^/.test(line) ? el('mark', {}, line) : line, '\n'));
      children.push(pre);
    }
    help.forEach(line => children.push(el('div', {}, line)));
    children.push(el('p', {class: 'hint'}, 'The model is read again when the file is saved.'));
    box.replaceChildren(...children);
  }

  // Pictures of the server: everything without WebGL, and the cameras that are shown beside.
  askForPictures(now) {
    if (!this.source.live) return;
    this.waiting ||= new Map();
    const ask = (camera, width, height, kind) => {
      if (now - (this.waiting.get(camera) ?? -1e9) < 2000) return;
      this.waiting.set(camera, now);
      this.source.send(`image ${camera} ${width} ${height} ${kind}`);
    };
    if (!this.renderer) {
      const box = this.canvas.getBoundingClientRect(), scale = Math.min(1, 960 / box.width);
      this.sendCamera();
      ask(-1, Math.round(box.width * scale), Math.round(box.height * scale), this.flags.segment ? 2 : this.flags.depth ? 1 : 0);
    }
    for (const [camera, {kind}] of this.cameraViews) ask(camera, 320, 180, +kind.value);
  }

  showCameraView(camera) {
    if (this.cameraViews.has(camera)) return;
    const image = el('img', {alt: `Camera ${camera}`});
    const kind = el('select', {'aria-label': 'Kind of picture'}, ...['Colour', 'Depth', 'Segments'].map((name, i) => el('option', {value: i}, name)));
    const close = iconButton('close', 'Close', () => { this.cameraViews.delete(camera); box.remove(); });
    const box = el('div', {class: 'view'}, el('header', {}, el('span', {}, this.scene.cameras[camera].name || `Camera ${camera}`), kind, close), image);
    byId('views').append(box);
    this.cameraViews.set(camera, {image, kind});
  }

  // what the user does

  theme() {
    let stored = null;
    try { stored = localStorage.getItem('cortenforge-theme'); } catch { /* not allowed in this frame */ }
    return stored || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    this.currentTheme = theme;
    this.lastKey = '';
    if (this.renderer)
      this.renderer.background = theme === 'dark'
        ? {top: [0.16, 0.18, 0.21], bottom: [0.075, 0.085, 0.1]} : {top: [0.80, 0.84, 0.88], bottom: [0.945, 0.95, 0.955]};
    try { localStorage.setItem('cortenforge-theme', theme); } catch { /* not allowed in this frame */ }
  }

  buildBars() {
    const {source} = this;
    const toggle = () => source.play(this.status?.paused ?? true);
    this.playButton = iconButton('pause', 'Pause (Space)', toggle, 'main control');
    this.toggle = toggle;
    this.speedSelect = el('select', {'aria-label': 'Speed', title: 'Speed (+ and -)', class: 'control wide', onchange: () => source.speed(+this.speedSelect.value)},
      ...SPEEDS.map(x => el('option', {value: x}, `${x}×`)));
    this.speedSelect.value = 1;
    byId('transport').append(
      iconButton('reset', 'Reset (Backspace)', () => source.reset(), 'control'),
      iconButton('back', 'Back (←)', () => source.step(-1), 'control wide'), this.playButton,
      iconButton('next', 'Step (→)', () => source.step(1), 'control wide'), this.speedSelect);
    const timeline = byId('timeline');
    timeline.addEventListener('pointerdown', () => { this.scrubbing = true; });
    for (const event of ['pointerup', 'pointercancel']) timeline.addEventListener(event, () => { this.scrubbing = false; });
    timeline.addEventListener('input', () => source.seek(+timeline.value));
    this.handButton = iconButton('hand', 'Pull bodies with the mouse (Alt+drag)', () => this.setPulling(!this.pulling), 'live');
    this.recordButton = iconButton('film', 'Record a video', () => this.record(), 'wide');
    byId('tools').append(
      this.handButton,
      iconButton('home', 'Reset view (Home)', () => this.home()),
      iconButton('plot', 'Plots', () => this.plots.toggle(), 'live'),
      iconButton('view', 'Show what the cameras see', () => this.toggleViews(), 'live wide'),
      iconButton('camera', 'Screenshot (Alt+P)', () => this.screenshot(), 'wide'), this.recordButton,
      iconButton('theme', 'Light or dark', () => this.setTheme(this.currentTheme === 'dark' ? 'light' : 'dark')),
      iconButton('help', 'Keys (?)', () => this.help()));
    setIcon(byId('left-toggle'), 'menu', 'Settings (Tab)');
    setIcon(byId('right-toggle'), 'sliders', 'Joints and controls (Shift+Tab)');
    byId('left-toggle').onclick = () => this.showSide('left');
    byId('right-toggle').onclick = () => this.showSide('right');
    this.buildSearch();
  }

  toggleViews() {
    if (this.cameraViews.size) {
      this.cameraViews.clear();
      byId('views').replaceChildren();
    } else if (this.scene.cameras.length) this.scene.cameras.slice(0, 3).forEach((_, i) => this.showCameraView(i));
    else notice('The model has no cameras.');
  }

  showSide(side, show = document.body.classList.contains(`no-${side}`)) {
    byId(side).classList.toggle('closed', !show);
    document.body.classList.toggle(`no-${side}`, !show);
    byId(`${side}-toggle`).classList.toggle('on', show);
    byId(`${side}-toggle`).setAttribute('aria-expanded', show);
    if (show && small()) this.showSide(side === 'left' ? 'right' : 'left', false);
  }

  buildSearch() {
    const input = byId('search'), found = byId('found');
    const close = () => { found.hidden = true; input.setAttribute('aria-expanded', 'false'); };
    const update = () => {
      const text = input.value.trim().toLowerCase();
      const hits = text ? (this.names || []).filter(item => item.name.toLowerCase().includes(text)) : [];
      hits.sort((a, b) => a.name.length - b.name.length);
      found.replaceChildren(...hits.slice(0, 30).map(item => el('button', {role: 'option', onclick: () => { item.go(); close(); input.blur(); }},
        el('span', {}, item.name), el('small', {}, item.kind))));
      if (text && !hits.length) found.replaceChildren(el('p', {class: 'hint'}, 'Nothing has this name.'));
      found.hidden = !text;
      input.setAttribute('aria-expanded', String(!found.hidden));
    };
    input.addEventListener('input', update);
    input.addEventListener('focus', update);
    input.addEventListener('keydown', event => {
      event.stopPropagation();
      if (event.key === 'Enter') found.querySelector('button')?.click();
      if (event.key === 'Escape') { close(); input.blur(); }
      if (event.key === 'ArrowDown') found.querySelector('button')?.focus();
    });
    document.addEventListener('pointerdown', event => { if (!byId('search-box').contains(event.target)) close(); });
  }

  setPulling(on) {
    this.pulling = on;
    this.handButton.classList.toggle('on', on);
    this.canvas.classList.toggle('pulling', on);
  }

  setFlag(flag, on) {
    this.flags[flag] = on;
    this.flagChips[flag]?.show(on);
  }

  useCamera(camera) {
    this.camera.fixed = camera;
    this.panels.camera.show(camera + 1);
  }

  home() {
    this.track(-1);
    this.lookHome();
    this.panels.camera.show(this.camera.fixed + 1);
  }

  // The view that the model asks for; on narrow screens from farther away.
  lookHome() {
    this.camera.home(this.scene);
    const aspect = this.canvas.clientWidth / this.canvas.clientHeight;
    if (aspect < 0.9) this.camera.distance *= 0.9 / aspect;
  }

  track(body) {
    if (this.camera.track === body) return;
    this.camera.track = body;
    if (body >= 0) this.useCamera(-1);
    this.source.send(`track ${body}`);
  }

  select(body) {
    if (this.source.live) this.source.send(`body ${body}`);
    this.source.selected = body;
    this.selected = body;
    if (body > 0 && innerWidth > 820) this.showSide('right', true);
  }

  sendCamera() {
    const v = this.view();
    const words = [...v.pos, ...v.forward, ...v.up, v.half].map(x => +x.toPrecision(8)).join(' ');
    if (words === this.sentCamera) return v;
    this.sentCamera = words;
    this.source.send(`camera ${words} ${v.parallel ? 1 : 0}`);
    return v;
  }

  copyCamera() {
    const v = this.view(), right = v.right || [1, 0, 0];
    const list = a => [...a].map(x => +x.toFixed(4)).join(' ');
    copy(`<camera pos="${list(v.pos)}" xyaxes="${list(right)} ${list(v.up)}"/>\n`, 'Camera');
  }

  // The view may be part of the address: #view=x,y,z,distance,azimuth,elevation
  fromAddress() {
    const text = new URLSearchParams(location.hash.slice(1)).get('view');
    const numbers = (text || '').split(',').map(Number);
    if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return;
    const [x, y, z, distance, azimuth, elevation] = numbers;
    Object.assign(this.camera, {lookat: [x, y, z], distance, azimuth, elevation, fixed: -1});
  }

  screenshot() {
    if (!this.renderer) return;
    this.drawScene(this.view());
    this.canvas.toBlob(blob => { save(`${this.scene.title}.png`, blob); notice('Screenshot saved'); });
  }

  record() {
    if (this.recorder) { this.recorder.stop(); return; }
    const type = ['video/mp4', 'video/webm'].find(kind => window.MediaRecorder?.isTypeSupported(kind));
    if (!type || !this.canvas.captureStream) { notice('This browser cannot record.'); return; }
    const chunks = [];
    this.recorder = new MediaRecorder(this.canvas.captureStream(60), {mimeType: type, videoBitsPerSecond: 8e6});
    this.recorder.ondataavailable = event => chunks.push(event.data);
    this.recorder.onstop = () => {
      save(`${this.scene.title}.${type.slice(6)}`, new Blob(chunks, {type}));
      this.recorder = null;
      setIcon(this.recordButton, 'film', 'Record a video');
      this.recordButton.classList.remove('on');
    };
    this.recorder.start();
    setIcon(this.recordButton, 'stop', 'Stop recording');
    this.recordButton.classList.add('on');
  }

  help() {
    const keys = [['Space', 'Play or pause'], ['→ ←', 'Step forward, step back'], ['Backspace', 'Reset'],
      ['+ −', 'Faster, slower'], ['Double-click', 'Select a body'], ['Right drag', 'Move the view (Shift: along the ground)'],
      ['Left drag', 'Turn the view'], ['Wheel', 'Zoom'], ['Ctrl + right drag', 'Pull the selected body (Shift: horizontally)'],
      ['Ctrl + left drag', 'Turn the selected body'], ['Alt + drag', 'Pull the body under the mouse'],
      ['Ctrl + right double-click', 'Follow a body'], ['Page Up', 'Select the parent'], ['Escape', 'Free camera'],
      ['[ ]', 'Previous, next camera'], ['Home', 'Reset the view'], ['0 … 5', 'Geom groups'], ['Shift + 0 … 5', 'Site groups'],
      ['F6 F7', 'Next kind of frames, of labels'], ['Tab', 'Settings'], ['Shift + Tab', 'Joints and controls'],
      ['Alt + L', 'Reload the model'], ['Alt + P', 'Screenshot'], ['Ctrl + K', 'Search'], ['?', 'This list'],
      ...EFFECTS.filter(([, , key]) => key).map(([, name, key]) => [key, name]),
      ...VISUAL.filter(([, key]) => key).map(([name, key]) => [key, name])];
    byId('help').replaceChildren(
      el('h2', {}, 'Keys'), el('p', {class: 'hint'}, 'Those of simulate, as far as browsers allow. Drop a model and its files anywhere to open it.'),
      el('div', {class: 'keys'}, ...keys.map(([key, what]) => el('div', {}, el('span', {}, what), el('kbd', {}, key)))),
      el('div', {class: 'buttons'}, el('button', {class: 'plain', onclick: () => byId('help').close()}, 'Close')));
    byId('help').showModal();
  }

  cycle(name, count) {
    if (this.status) this.source.send(`${name} ${(this.status[name] + 1) % count}`);
  }

  onKey(event) {
    if (event.target.closest('input, select, textarea, dialog')) return;
    const {key} = event, upper = key.length === 1 ? key.toUpperCase() : key;
    if (this.source.live && !event.ctrlKey && !event.metaKey) this.sendKey(event);
    const done = () => event.preventDefault();
    if ((event.ctrlKey || event.metaKey) && upper === 'K') { done(); byId('search').focus(); return; }
    if (event.altKey && upper === 'L') { done(); this.source.send('reload'); return; }
    if (event.altKey && upper === 'P') { done(); this.screenshot(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cameras = this.scene ? this.scene.cameras.length : 0;
    const speed = step => {
      const at = SPEEDS.indexOf(+this.speedSelect.value);
      this.source.speed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + step))]);
    };
    const actions = {
      ' ': () => this.toggle(), ArrowRight: () => this.source.step(1), ArrowLeft: () => this.source.step(-1),
      Backspace: () => this.source.reset(), '?': () => this.help(), '+': () => speed(1), '=': () => speed(1), '-': () => speed(-1),
      Tab: () => this.showSide(event.shiftKey ? 'right' : 'left'), Home: () => this.home(),
      Escape: () => { this.track(-1); this.useCamera(-1); this.setPulling(false); },
      '[': () => this.useCamera((this.camera.fixed + 1 + cameras) % (cameras + 1) - 1),
      ']': () => this.useCamera((this.camera.fixed + 2) % (cameras + 1) - 1),
      PageUp: () => this.select(this.scene.parents[this.selected] || 0),
      F6: () => this.cycle('frame', 8), F7: () => this.cycle('label', 17),
    };
    // a key of the interface stays with the interface
    if (key === 'Tab' && event.target !== this.canvas && event.target !== document.body) return;
    if ((key === ' ' || key === 'Enter') && event.target.closest('button, summary')) return;
    if (actions[key]) { done(); actions[key](); return; }
    const digit = /^Digit([0-5])$/.exec(event.code);
    if (digit && this.status?.groups) {
      const kind = event.shiftKey ? 1 : 0, group = +digit[1];
      this.source.send(`group ${kind} ${group} ${this.status.groups[kind][group] ? 0 : 1}`);
      return;
    }
    const visual = VISUAL.findIndex(([, k]) => k && k === upper);
    if (visual >= 0 && this.status?.vis) { this.source.send(`vis ${visual} ${this.status.vis[visual] ? 0 : 1}`); return; }
    const effect = EFFECTS.find(([, , k]) => k && k === upper);
    if (effect) this.setFlag(effect[0], !this.flags[effect[0]]);
  }

  // Keys as GLFW numbers them, for programs that listen.
  sendKey({key, code}) {
    const named = {Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262,
      ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269};
    const functionKey = /^F(\d+)$/.exec(key);
    const number = named[key] ?? (functionKey ? 289 + +functionKey[1] : /^Key[A-Z]$/.test(code) ? code.charCodeAt(3)
      : /^Digit\d$/.test(code) ? code.charCodeAt(5) : key.length === 1 ? key.toUpperCase().charCodeAt(0) : 0);
    if (number) this.source.send(`keypress ${number}`);
  }

  // The place of a pointer in parts of the canvas, from the lower left.
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height, box.width / box.height];
  }

  pickAt(event) {
    if (!this.renderer || !this.frame) return null;
    const [x, y] = this.at(event);
    return this.renderer.pick(this.frame, this.view(), x, y);
  }

  bodyOf(object) {
    if (!object) return 0;
    if (object.objtype === GEOM_OBJECT) return this.scene.geombody[object.objid] || 0;
    if (object.objtype === SITE_OBJECT) return this.scene.sitebody[object.objid] || 0;
    return 0;
  }

  selectAt(event) {
    if (!this.source.live) { this.select(this.bodyOf(this.pickAt(event))); return; }
    this.sentCamera = '';
    this.sendCamera();
    this.source.send(`select ${this.at(event).map(x => x.toFixed(6)).join(' ')}`);
    if (innerWidth > 820) this.showSide('right', true);
  }

  // Drags are sent once per picture.
  flushDrag() {
    if (!this.drag || this.drag.action === undefined || (!this.drag.dx && !this.drag.dy)) return;
    this.source.send(`drag ${this.drag.action} ${this.drag.dx.toFixed(6)} ${this.drag.dy.toFixed(6)}`);
    this.drag.dx = this.drag.dy = 0;
  }

  startDrag(event) {
    const left = event.button === 0, right = event.button === 2;
    this.drag = {x: event.clientX, y: event.clientY, button: event.button, dx: 0, dy: 0, moved: 0};
    if (!this.source.live) return;
    if (event.altKey || (this.pulling && left)) {
      this.selectAt(event);
      this.drag.action = event.shiftKey ? MOVE_H : MOVE_V;
      this.source.send(`perturb ${TRANSLATE}`);
    } else if (event.ctrlKey && this.selected > 0 && (left || right)) {
      this.sentCamera = '';
      this.sendCamera();
      this.drag.action = right ? (event.shiftKey ? MOVE_H : MOVE_V) : event.shiftKey ? ROTATE_H : ROTATE_V;
      this.source.send(`perturb ${right ? TRANSLATE : ROTATE}`);
    }
  }

  moveDrag(event) {
    const {drag} = this, height = this.canvas.clientHeight;
    const dx = (event.clientX - drag.x) / height, dy = (event.clientY - drag.y) / height;
    Object.assign(drag, {x: event.clientX, y: event.clientY});
    drag.moved += Math.abs(dx) + Math.abs(dy);
    if (drag.action !== undefined) { drag.dx += dx; drag.dy += dy; return; }
    const half = this.view().half;
    if (drag.button === 0) this.camera.turn(dx, dy);
    else if (drag.button === 2) this.camera.pan(dx, dy, half, event.shiftKey);
    else this.camera.zoom(dy * 3);
    this.panels.camera.show(this.camera.fixed + 1);
  }

  endDrag() {
    if (this.drag?.action !== undefined) {
      this.flushDrag();
      this.source.send('perturb 0');
    }
    this.drag = null;
    this.canvas.classList.remove('dragging');
  }

  listen() {
    const {canvas} = this, pointers = new Map();
    let pinch = null;
    canvas.addEventListener('pointerdown', event => {
      canvas.focus({preventScroll: true});
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
      byId('hover').hidden = true;
      if (pointers.size === 2) {
        this.endDrag();
        pinch = this.fingers(pointers);
      } else if (this.scene) {
        this.startDrag(event);
        canvas.classList.add('dragging');
      }
    });
    canvas.addEventListener('pointermove', event => {
      if (!this.scene) return;
      if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event);
      if (pinch && pointers.size === 2) {
        const now = this.fingers(pointers), height = canvas.clientHeight;
        this.camera.zoom(Math.log(pinch.spread / now.spread));
        this.camera.pan((now.x - pinch.x) / height, (now.y - pinch.y) / height, this.view().half, false);
        pinch = now;
      } else if (this.drag) this.moveDrag(event);
      else this.hover(event);
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'])
      canvas.addEventListener(name, event => {
        pointers.delete(event.pointerId);
        if (pointers.size < 2) pinch = null;
        this.endDrag();
      });
    canvas.addEventListener('pointerleave', () => { clearTimeout(this.hoverTimer); byId('hover').hidden = true; });
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.camera.zoom(event.deltaY * (event.deltaMode ? 0.05 : 0.0012));
    }, {passive: false});
    canvas.addEventListener('dblclick', event => { if (this.scene) this.selectAt(event); });
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('auxclick', event => {
      if (event.button === 2 && event.ctrlKey && event.detail === 2) this.track(this.bodyOf(this.pickAt(event)));
    });
    canvas.addEventListener('webglcontextlost', event => { event.preventDefault(); notice('The graphics device was lost; reload the page.', ''); });
    document.addEventListener('keydown', event => this.onKey(event));
    this.listenForFiles();
  }

  fingers(pointers) {
    const [a, b] = [...pointers.values()];
    return {x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2,
      spread: Math.max(10, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY))};
  }

  hover(event) {
    clearTimeout(this.hoverTimer);
    if (event.pointerType === 'touch' || this.drag) return;
    if (performance.now() - (this.hovered || 0) < 60) {
      this.hoverTimer = setTimeout(() => this.hover(event), 60);
      return;
    }
    this.hovered = performance.now();
    const box = byId('hover'), object = this.pickAt(event), body = this.bodyOf(object);
    const own = object && (object.objtype === GEOM_OBJECT ? this.scene.geoms : object.objtype === SITE_OBJECT ? this.scene.sites : [])[object.objid];
    box.hidden = !object || (!own && !body);
    if (box.hidden) return;
    const name = body ? this.scene.bodies[body] || `body ${body}` : 'world';
    box.replaceChildren(own || name, own ? el('small', {}, name) : '');
    box.style.left = `${Math.min(event.clientX + 14, innerWidth - 180)}px`;
    box.style.top = `${event.clientY + 16}px`;
  }

  listenForFiles() {
    const drop = byId('drop');
    // both say that something may be dropped here
    for (const kind of ['dragenter', 'dragover']) {
      addEventListener(kind, event => { event.preventDefault(); drop.hidden = !this.source.live; });
    }
    addEventListener('dragleave', event => { if (!event.relatedTarget) drop.hidden = true; });
    addEventListener('drop', async event => {
      event.preventDefault();
      drop.hidden = true;
      if (!this.source.live) return;
      const items = [...event.dataTransfer.items].filter(item => item.kind === 'file');
      const entries = items.map(item => [item.webkitGetAsEntry?.(), item.getAsFile()]), files = [];
      const walk = async (entry, path) => {
        if (entry.isFile) {
          files.push({name: path + entry.name, file: await new Promise((yes, no) => entry.file(yes, no))});
        } else {
          const reader = entry.createReader();
          for (let list = [null]; list.length;) {
            list = await new Promise((yes, no) => reader.readEntries(yes, no));
            for (const child of list) await walk(child, `${path}${entry.name}/`);
          }
        }
      };
      for (const [entry, file] of entries) {
        if (entry?.isDirectory) await walk(entry, '');
        else if (file) files.push({name: file.name, file});
      }
      const page = files.length === 1 && /\.html?$/i.test(files[0].name) && await replayIn(files[0].file);
      if (page) this.openReplay(page);
      else this.source.load(files);
    });
  }

  // Shows a recording instead of the simulation, until the page is loaded again.
  openReplay(data) {
    this.scene = this.frame = this.status = null;
    this.track(-1);
    this.plots.setWatched([]);
    document.body.classList.add('replay');
    this.source = new ReplaySource(this, data);
    notice('This is a recording. Reload the page to return to the simulation.', '');
  }
}

const viewerApp = new App();
// for tests, and for whoever is curious
window.viewer = viewerApp;

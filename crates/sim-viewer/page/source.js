// Where frames come from: a running server, or a recording inside the page.
import {KIND, WIRE_VERSION, decodeFrame, decodeGrid, decodeImage, decodeReplay, decodeScene, decodeTable, replayFrame} from './decode.js';
import {fromBase64, notice} from './widgets.js';

// A connection to the server. `app` has onScene, onTable, onFrame, onStatus, onNote and onImage.
export class LiveSource {
  constructor(app) {
    this.app = app;
    this.live = true;
    this.token = new URLSearchParams(location.hash.slice(1)).get('token') || '';
    this.attempts = 0;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      socket.send(`hello ${this.token}`);
      this.app.onOpen();
    };
    socket.onmessage = event => {
      this.attempts = 0;
      // a recording was opened meanwhile
      if (this.app.source && this.app.source !== this) return;
      if (typeof event.data === 'string') {
        const note = JSON.parse(event.data);
        if (note.type === 'status') this.app.onStatus(note); else this.app.onNote(note);
        return;
      }
      const [version, kind] = new Uint8Array(event.data, 0, 2);
      if (version !== WIRE_VERSION) return;
      if (kind === KIND.scene) this.app.onScene(decodeScene(event.data));
      else if (kind === KIND.table) this.app.onTable(decodeTable(event.data));
      else if (kind === KIND.frame) this.app.onFrame(decodeFrame(event.data));
      else if (kind === KIND.grid) this.app.onFrame(decodeGrid(event.data));
      else if (kind === KIND.image) this.app.onImage(decodeImage(event.data));
    };
    socket.onclose = event => this.onClose(event);
  }

  onClose({code, reason}) {
    if (this.app.source !== this) return;
    if (code === 4401) { notice('This address has no valid token. Open the one that the command printed.', ''); return; }
    if (code === 4429) { notice('Too many pages are open.', ''); return; }
    this.app.onClosed(code, reason);
    this.attempts++;
    if (this.attempts <= 40) setTimeout(() => { this.connect(); }, Math.min(200 * this.attempts, 3000));
  }

  send(text) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  // Files as one message: their number, then length and bytes of name and content.
  async load(files) {
    const encoder = new TextEncoder(), parts = [], u32 = n => new Uint32Array([n]);
    parts.push(u32(files.length));
    for (const {name, file} of files) {
      const text = encoder.encode(name), bytes = await file.arrayBuffer();
      parts.push(u32(text.length), text, u32(bytes.byteLength), bytes);
    }
    this.send(await new Blob(parts).arrayBuffer());
  }

  play(on) { this.send(`play ${on ? 1 : 0}`); }
  step(n) { this.send(`step ${n}`); }
  seek(place) { this.send(`seek ${place}`); }
  speed(x) { this.send(`speed ${x}`); }
  reset() { this.send('reset'); }
  tick() {}
}

// The data of a recording, if a file is one.
export async function replayIn(file) {
  return new DOMParser().parseFromString(await file.text(), 'text/html').getElementById('replay')?.textContent.trim();
}

// A recording that is played in the page alone.
export class ReplaySource {
  constructor(app, base64) {
    this.app = app;
    this.live = false;
    this.ready = this.open(base64);
    Object.assign(this, {time: 0, last: 0, playing: true, rate: 1});
  }

  async open(base64) {
    const stream = new Blob([fromBase64(base64)]).stream().pipeThrough(new DecompressionStream('deflate'));
    this.replay = decodeReplay(await new Response(stream).arrayBuffer());
    this.start = this.replay.times[0] || 0;
    this.end = this.replay.times[this.replay.count - 1] || 0;
    this.time = this.start;
    this.app.onScene(this.replay.scene);
    this.app.onTable(this.replay.table);
    this.show();
  }

  show() {
    const {replay} = this, {times, count} = replay;
    let f = Math.max(0, Math.min(count - 2, Math.floor((this.time - this.start) / ((this.end - this.start) / (count - 1 || 1) || 1))));
    while (f > 0 && times[f] > this.time) f--;
    while (f < count - 2 && times[f + 1] <= this.time) f++;
    const gap = times[Math.min(f + 1, count - 1)] - times[f];
    const part = count > 1 && gap > 0 ? Math.min(1, Math.max(0, (this.time - times[f]) / gap)) : 0;
    this.place = f;
    this.app.onFrame(replayFrame(replay, f, part));
    this.app.onStatus({type: 'status', paused: !this.playing, speed: this.rate, history: [f, count],
      span: [this.start, this.end], selected: this.selected || 0, warnings: [], error: '', watch: []});
  }

  tick(now) {
    if (!this.replay) return;
    const passed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (!this.playing) return;
    this.time += passed * this.rate;
    if (this.time > this.end) this.time = this.start;
    this.show();
  }

  play(on) { this.playing = on; this.show(); }
  step(n) {
    this.playing = false;
    this.seek(this.place + n);
  }
  seek(place) {
    this.playing = false;
    this.time = this.replay.times[Math.max(0, Math.min(this.replay.count - 1, place))];
    this.show();
  }
  speed(x) { this.rate = x; this.show(); }
  reset() { this.time = this.start; this.show(); }
  send() {}
  async load() {}
}


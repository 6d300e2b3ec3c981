// The panels: simulation, view, physics; the selected body, joints, controls, sensors.
import {short} from './math.js';
import {byId, chip, choice, el, row, section, slider} from './widgets.js';

// Names of visual flags and effects as people read them, and their keys in MuJoCo's simulate.
export const VISUAL = [
  ['Convex hull', 'H'], ['Texture', 'X'], ['Joint', 'J'], ['Camera', 'Q'], ['Actuator', 'U'],
  ['Activation', ','], ['Light', 'Z'], ['Tendon', 'V'], ['Range finder', 'Y'], ['Equality', 'E'],
  ['Inertia', 'I'], ['Scale inertia', "'"], ['Perturb force', 'B'], ['Perturb object', 'O'],
  ['Contact point', 'C'], ['Island', 'N'], ['Contact force', 'F'], ['Contact split', 'P'],
  ['Transparent', 'T'], ['Auto connect', 'A'], ['Center of mass', 'M'], ['Select point', ''],
  ['Static body', 'D'], ['Skin', ';'], ['Flex vert', ''], ['Flex edge', ''], ['Flex face', ''],
  ['Flex skin', ''], ['Body tree', '`'], ['Mesh tree', '\\'], ['SDF iters', '']];
export const EFFECTS = [
  ['shadow', 'Shadow', 'S'], ['wireframe', 'Wireframe', 'W'], ['reflection', 'Reflection', 'R'],
  ['additive', 'Additive', 'L'], ['skybox', 'Skybox', 'K'], ['fog', 'Fog', 'G'], ['haze', 'Haze', '/'],
  ['depth', 'Depth', ''], ['segment', 'Segment', ''], ['idcolor', 'Id colour', ''], ['cullface', 'Cull face', '']];
const LABELS = ['None', 'Body', 'Joint', 'Geom', 'Site', 'Camera', 'Light', 'Tendon', 'Actuator', 'Constraint',
  'Flex', 'Skin', 'Selection', 'Select point', 'Contact point', 'Contact force', 'Island'];
const FRAMES = ['None', 'Body', 'Geom', 'Site', 'Camera', 'Light', 'Contact', 'World'];
const GROUPS = ['Geom', 'Site', 'Joint', 'Tendon', 'Actuator', 'Flex', 'Skin'];
const FREE = 0, BALL = 1, SLIDE = 2;
// more sliders than this are slow and of no use
const MAX_SLIDERS = 120;

export class Panels {
  constructor(app) { this.app = app; this.updaters = []; }

  send(text) { this.app.source.send(text); }

  build(scene) {
    this.scene = scene;
    this.status = [];
    this.values = [];
    byId('left').replaceChildren(...this.left(scene).map(part => part.element));
    byId('right').replaceChildren(...this.right(scene).map(part => part.element));
    byId('left').scrollTop = byId('right').scrollTop = 0;
  }

  button(label, action, title = label) {
    return el('button', {class: 'plain', title, onclick: action}, label);
  }

  left(scene) {
    const {app} = this, live = app.source.live, parts = [];
    const view = section('View', true);
    const cameras = ['Free', ...scene.cameras.map((camera, i) => camera.name || `Camera ${i}`)];
    const camera = choice('Camera', cameras, i => app.useCamera(i - 1));
    this.camera = camera;
    view.body.append(camera.element);
    if (live) {
      const track = el('select', {'aria-label': 'Follow', onchange: () => app.track(+track.value)},
        el('option', {value: -1}, 'Nothing'),
        ...scene.bodies.slice(1, 500).map((name, i) => el('option', {value: i + 1}, name || `body ${i + 1}`)));
      view.body.append(row('Follow', track));
      const label = choice('Labels', LABELS, i => this.send(`label ${i}`));
      const frame = choice('Frames', FRAMES, i => this.send(`frame ${i}`));
      view.body.append(label.element, frame.element);
      this.status.push(s => {
        label.show(s.label);
        frame.show(s.frame);
        if (document.activeElement !== track) track.value = s.tracked;
      });
    }
    view.body.append(el('div', {class: 'buttons'},
      this.button('Reset view', () => app.home(), 'Look at the model from where it asks (Home)'),
      this.button('Copy camera', () => app.copyCamera(), 'Copy the camera as XML')));
    parts.push(view);

    if (live) parts.push(this.simulation(scene));

    const draw = section('Draw', false);
    const chips = el('div', {class: 'chips'});
    for (const [flag, name, key] of EFFECTS) {
      const button = chip(name, on => app.setFlag(flag, on), key ? `${name} (${key})` : name);
      app.flagChips[flag] = button;
      button.show(app.flags[flag]);
      chips.append(button.element);
    }
    draw.body.append(el('h4', {}, 'Effects'), chips);
    if (live) {
      const visual = el('div', {class: 'chips'});
      const buttons = VISUAL.map(([name, key], i) => chip(name, on => this.send(`vis ${i} ${on ? 1 : 0}`), key ? `${name} (${key})` : name));
      visual.append(...buttons.map(button => button.element));
      draw.body.append(el('h4', {}, 'Elements'), visual);
      const groups = el('div', {class: 'groups'}), cells = [];
      GROUPS.forEach((kind, k) => {
        groups.append(el('span', {}, kind));
        cells.push(Array.from({length: 6}, (_, g) => {
          const cell = chip(String(g), on => this.send(`group ${k} ${g} ${on ? 1 : 0}`), `${kind} group ${g}`);
          groups.append(cell.element);
          return cell;
        }));
      });
      const depth = slider('Tree depth', 0, 20, x => this.send(`depth ${Math.round(x)}`));
      draw.body.append(el('h4', {}, 'Groups'), groups, depth.element);
      this.status.push(s => {
        buttons.forEach((button, i) => button.show(s.vis[i]));
        cells.forEach((row, k) => row.forEach((cell, g) => cell.show(s.groups[k][g])));
        depth.show(s.depth);
      });
    }
    parts.push(draw);
    if (live) parts.push(this.physics(scene));
    return parts;
  }

  simulation(scene) {
    const part = section('Simulation', true), {app} = this;
    if (scene.keys.length) {
      const select = el('select', {'aria-label': 'Keyframe'},
        ...scene.keys.map((name, i) => el('option', {value: i}, name || `key ${i}`)));
      part.body.append(row('Keyframe', select), el('div', {class: 'buttons control'},
        this.button('Load', () => this.send(`key ${select.value}`), 'Go to the keyframe'),
        this.button('Keep here', () => this.send(`setkey ${select.value}`), 'Keep the present state as this keyframe')));
    }
    const noise = slider('Control noise', 0, 1, x => this.send(`noise ${x} ${this.correlation || 0.1}`));
    part.body.append(el('div', {class: 'control'}, noise.element));
    part.body.append(el('div', {class: 'buttons'},
      this.button('Copy pose', () => this.send('pose'), 'Copy the state as a keyframe in XML'),
      this.button('Reload', () => this.send('reload'), 'Read the model again (Alt+L)'),
      this.button('Save replay', () => this.send('replay'), 'Save the past as a page of one file'),
      this.button('Save XML', () => this.send('xml')),
      this.button('Save MJB', () => this.send('mjb'), 'Save the compiled model'),
      this.button('Print model', () => this.send('print model')),
      this.button('Print data', () => this.send('print data'))));
    const warnings = el('p', {class: 'hint', hidden: true});
    part.body.append(warnings);
    this.status.push(s => {
      noise.show(s.noise[0]);
      this.correlation = s.noise[1];
      warnings.hidden = !s.warnings.length;
      warnings.textContent = s.warnings.map(w => `${w.name} × ${w.count}`).join(', ');
    });
    app.warned = 0;
    return part;
  }

  physics(scene) {
    const part = section('Physics', false);
    const numbers = new Map();
    for (const name of scene.options) {
      const choices = scene.choices[name];
      if (choices) {
        const list = choice(name, choices, i => this.send(`option ${name} ${i}`));
        part.body.append(list.element);
        this.status.push(s => { if (document.activeElement !== list.select) list.show(s.options[name][0]); });
        continue;
      }
      if (name.startsWith('o_') || name.startsWith('sdf')) continue;
      const holder = el('div', {class: 'control'});
      numbers.set(name, {holder, inputs: null});
      part.body.append(row(name, holder));
    }
    const flags = (list, word, title) => {
      const chips = list.map((name, i) => chip(name, on => this.send(`${word} ${i} ${on ? 1 : 0}`), `${word} ${name}`));
      part.body.append(el('h4', {}, title), el('div', {class: 'chips control'}, ...chips.map(c => c.element)));
      this.status.push(s => chips.forEach((c, i) => c.show(s[`${word}flags`] >> i & 1)));
    };
    flags(scene.disable, 'disable', 'Disable');
    flags(scene.enable, 'enable', 'Enable');
    this.status.push(s => {
      for (const [name, entry] of numbers) {
        const values = s.options[name];
        if (!entry.inputs) {
          entry.inputs = values.map(() => el('input', {type: 'number', step: 'any', 'aria-label': name,
            onchange: () => this.send(`option ${name} ${entry.inputs.map(input => +input.value || 0).join(' ')}`)}));
          entry.holder.append(el('div', {class: values.length > 1 ? 'three' : ''}, ...entry.inputs));
        }
        entry.inputs.forEach((input, i) => { if (document.activeElement !== input) input.value = values[i]; });
      }
    });
    return part;
  }

  right(scene) {
    const parts = [this.inspector(scene)];
    if (!this.app.source.live) return parts;
    if (scene.actuators.length) parts.push(this.controls(scene));
    if (scene.joints.length) parts.push(this.joints(scene));
    if (scene.equalities.length) parts.push(this.equalities(scene));
    if (scene.sensors.length) parts.push(this.sensors(scene));
    return parts;
  }

  plotButton(name, index, label) {
    return el('button', {title: `Plot ${label}`, 'aria-label': `Plot ${label}`, onclick: () => this.app.plots.add(name, index, label)}, '∿');
  }

  withPlot(control, name, index, label) {
    control.element.querySelector('label').append(' ', this.plotButton(name, index, label));
    return control.element;
  }

  joints(scene) {
    const part = section('Joints', scene.joints.length <= 40, String(scene.joints.length)), {body} = part;
    const shown = scene.joints.slice(0, MAX_SLIDERS);
    for (const [i, joint] of shown.entries()) {
      const name = joint.name || `joint ${i}`;
      if (joint.kind === FREE || joint.kind === BALL) {
        const output = el('span', {class: 'hint'});
        body.append(el('div', {class: 'slider'}, el('label', {}, name), el('span', {class: 'hint'}, joint.kind === FREE ? 'free' : 'ball'), output));
        this.values.push(f => { output.textContent = [...f.qpos.slice(joint.adr, joint.adr + (joint.kind === FREE ? 3 : 4))].map(x => x.toFixed(3)).join('  '); });
        continue;
      }
      const [low, high] = joint.limited ? joint.range : joint.kind === SLIDE ? [-1, 1] : [-Math.PI, Math.PI];
      const control = slider(name, low, high, x => this.send(`set qpos ${joint.adr} ${x}`));
      control.element.classList.add('control');
      body.append(this.withPlot(control, 'qpos', joint.adr, name));
      this.values.push(f => { if (joint.adr < f.qpos.length) control.show(f.qpos[joint.adr]); });
    }
    if (shown.length < scene.joints.length) body.append(el('p', {class: 'hint'}, `${scene.joints.length - shown.length} more are not shown.`));
    return part;
  }

  controls(scene) {
    const part = section('Controls', true, String(scene.actuators.length)), {body} = part;
    body.append(el('div', {class: 'buttons control'}, this.button('Clear all', () => this.send('clear'), 'Set all controls to zero')));
    const shown = scene.actuators.slice(0, MAX_SLIDERS);
    for (const [i, actuator] of shown.entries()) {
      const name = actuator.name || `actuator ${i}`, [low, high] = actuator.limited ? actuator.range : [-1, 1];
      const control = slider(name, low, high, x => this.send(`set ctrl ${i} ${x}`));
      control.element.classList.add('control');
      body.append(this.withPlot(control, 'ctrl', i, name));
      this.values.push(f => { if (i < f.ctrl.length) control.show(f.ctrl[i]); });
    }
    if (shown.length < scene.actuators.length) body.append(el('p', {class: 'hint'}, `${scene.actuators.length - shown.length} more are not shown.`));
    return part;
  }

  equalities(scene) {
    const part = section('Equalities', false, String(scene.equalities.length));
    const chips = scene.equalities.slice(0, MAX_SLIDERS).map((equality, i) =>
      chip(equality.name || `equality ${i}`, on => this.send(`set eq_active ${i} ${on ? 1 : 0}`)));
    part.body.append(el('div', {class: 'chips control'}, ...chips.map(c => c.element)));
    this.values.push(f => chips.forEach((c, i) => c.show(f.equalities[i])));
    return part;
  }

  sensors(scene) {
    const part = section('Sensors', false, String(scene.sensors.length));
    for (const [i, sensor] of scene.sensors.slice(0, 400).entries()) {
      const name = sensor.name || `sensor ${i}`, output = el('output');
      part.body.append(el('div', {class: 'sensor'}, el('span', {title: name}, name), output,
        this.plotButton('sensordata', sensor.adr, name)));
      this.values.push(f => {
        if (!part.element.open || !f.sensors.length) return;
        output.textContent = [...f.sensors.slice(sensor.adr, sensor.adr + Math.min(sensor.dim, 4))].map(x => short(x, 3)).join('  ');
      });
    }
    return part;
  }

  inspector(scene) {
    const part = section('Selection', true), facts = el('dl', {class: 'facts'});
    const hint = el('p', {class: 'hint'}, this.app.source.live
      ? 'Double-click a body to select it. Ctrl-drag with the right button pulls it, with the left one turns it.'
      : 'Double-click a body to see what it is.');
    const tools = el('div', {class: 'buttons live', hidden: true},
      this.button('Follow', () => this.app.track(this.app.selected), 'Keep the body in the middle'),
      this.button('Parent', () => this.send(`body ${scene.parents[this.app.selected] || 0}`), 'Select the parent (Page Up)'),
      this.button('Plot height', () => this.app.plots.add('xpos', 3 * this.app.selected + 2, 'height')),
      this.button('None', () => this.app.select(0), 'End the selection'));
    part.body.append(facts, hint, tools);
    this.inspect = (body, data) => {
      hint.hidden = body > 0;
      facts.hidden = body <= 0;
      tools.hidden = body <= 0;
      part.note(body > 0 ? `body ${body}` : '');
      if (body <= 0) { facts.replaceChildren(); return; }
      const three = v => [...v].map(x => x.toFixed(3)).join('  ');
      const geoms = scene.geombody.filter(b => b === body).length;
      const joints = scene.joints.filter(joint => joint.body === body).map((joint, i) => joint.name || `joint ${i}`);
      const list = [['Name', scene.bodies[body] || `body ${body}`], ['Parent', scene.bodies[scene.parents[body]] || String(scene.parents[body])],
        ['Mass', `${short(scene.mass[body])} kg`], ['Geoms', String(geoms)], ['Joints', joints.join(', ') || 'none']];
      if (data) list.push(['Position', three(data.pos)], ['Orientation', three(data.quat)], ['Velocity', three(data.linear)],
        ['Angular', three(data.angular)], ['Force', three(data.force.slice(0, 3))]);
      facts.replaceChildren(...list.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {title: value}, value)]));
    };
    this.inspect(0);
    return part;
  }

  onStatus(status) {
    for (const update of this.status || []) update(status);
  }

  onFrame(frame) {
    for (const update of this.values || []) update(frame);
    if (this.inspect) this.inspect(this.app.selected, frame.body === this.app.selected ? frame.inspected : null);
  }
}


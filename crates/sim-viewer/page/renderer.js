// Draws scenes with WebGL2: instances of shapes, shadow maps, one mirror, sky, haze, transparency.
import {add3, dot3, frustum, length3, lookAt, mirror4, multiply4, rotate, sub3, unit3} from './math.js';
import {builtinShapes, hazeShape, hfieldShape, meshShape} from './shapes.js';
import {DEPTH_FRAGMENT, DEPTH_VERTEX, FRAGMENT, MAX_LIGHTS, MAX_SHADOWS, PICK_FRAGMENT, PICK_VERTEX,
  SKY_FRAGMENT, SKY_VERTEX, VERTEX} from './shaders.js';

// Shapes as the model numbers them.
export const GEOM = {plane: 0, hfield: 1, sphere: 2, capsule: 3, ellipsoid: 4, cylinder: 5, box: 6, mesh: 7,
  sdf: 8, arrow: 100, arrow1: 101, arrow2: 102, line: 103, linebox: 104, flex: 105, skin: 106,
  label: 107, triangle: 108};
const FLOATS = 24, OPAQUE = 0.995, BEHIND = 0.3, SKY = 0.7;
const DECOR = 4;
const SHADOW_SIZE = 2048;

// Mirrors whether the eye is below a plane.
const axisZ = quat => rotate(quat, [0, 0, 1]);

export class SceneRenderer {
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', {antialias: true, stencil: true, alpha: false,
      preserveDrawingBuffer: true, powerPreference: 'high-performance'});
    if (!gl) throw new Error('WebGL2 is not available');
    this.gl = gl;
    this.canvas = canvas;
    this.programs = {
      main: this.program(VERTEX, FRAGMENT), depth: this.program(DEPTH_VERTEX, DEPTH_FRAGMENT),
      pick: this.program(PICK_VERTEX, PICK_FRAGMENT), sky: this.program(SKY_VERTEX, SKY_FRAGMENT)};
    this.shapes = new Map();
    for (const [name, shape] of Object.entries(builtinShapes())) this.shapes.set(name, this.upload(shape));
    this.white = this.texture2d(1, 1, new Uint8Array([255, 255, 255, 255]), false);
    this.whiteCube = this.textureCube(1, Array(6).fill(new Uint8Array([255, 255, 255, 255])));
    this.instances = gl.createBuffer();
    this.sky = gl.createVertexArray();
    this.shadows = [];
    this.pickTarget = null;
    this.background = {top: [0.2, 0.2, 0.2], bottom: [0.1, 0.1, 0.1]};
    this.objects = [];
    gl.getExtension('EXT_texture_filter_anisotropic');
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const uniforms = {};
    for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
      const name = gl.getActiveUniform(program, i).name.replace('[0]', '');
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return {program, at: uniforms};
  }

  // Puts a shape into buffers; instances are bound when it is drawn.
  upload(shape, dynamic = false) {
    const gl = this.gl, vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, shape.vertices, dynamic ? gl.STREAM_DRAW : gl.STATIC_DRAW);
    [[3, 0], [3, 12], [2, 24]].forEach(([size, offset], i) => {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, size, gl.FLOAT, false, 32, offset);
    });
    const indices = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, shape.index, gl.STATIC_DRAW);
    for (let i = 3; i < 9; i++) {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribDivisor(i, 1);
    }
    gl.bindVertexArray(null);
    return {vao, buffer, indices, count: shape.index.length, flat: !!shape.flat, lines: !!shape.lines,
      type: shape.index instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT, index: shape.index};
  }

  // Edges of a shape, for wireframes.
  edgesOf(shape) {
    if (!shape.edges) {
      const seen = new Set(), edges = [];
      for (let i = 0; i < shape.index.length; i += 3)
        for (let k = 0; k < 3; k++) {
          const a = shape.index[i + k], b = shape.index[i + (k + 1) % 3];
          const key = a < b ? a * 4294967 + b : b * 4294967 + a;
          if (!seen.has(key)) { seen.add(key); edges.push(a, b); }
        }
      const gl = this.gl, buffer = gl.createBuffer(), index = new Uint32Array(edges);
      gl.bindVertexArray(null);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
      shape.edges = {buffer, count: edges.length};
    }
    return shape.edges;
  }

  texture2d(width, height, pixels, srgb) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, srgb ? gl.SRGB8_ALPHA8 : gl.RGBA8, width, height, 0, gl.RGBA,
      gl.UNSIGNED_BYTE, pixels);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    const extension = gl.getExtension('EXT_texture_filter_anisotropic');
    if (extension) {
      const most = gl.getParameter(extension.MAX_TEXTURE_MAX_ANISOTROPY_EXT);
      gl.texParameterf(gl.TEXTURE_2D, extension.TEXTURE_MAX_ANISOTROPY_EXT, Math.min(8, most));
    }
    return {texture, cube: false};
  }

  textureCube(size, faces) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
    faces.forEach((pixels, i) => gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, gl.RGBA8, size,
      size, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels));
    gl.generateMipmap(gl.TEXTURE_CUBE_MAP);
    gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    return {texture, cube: true};
  }

  // A texture of the scene message: rows are differences to the row before.
  readTexture(scene, info) {
    const {width, height, channels, count} = info;
    const limit = this.gl.getParameter(this.gl.MAX_TEXTURE_SIZE);
    if (!count || width > limit || (info.kind === 0 && height > limit)) return null;
    const pixels = new Uint8Array(scene.buffer, scene.blob + info.data, count).slice();
    const stride = width * channels;
    for (let i = stride; i < count; i++) pixels[i] += pixels[i - stride];
    const rgba = new Uint8Array(4 * width * height);
    for (let i = 0, n = width * height; i < n; i++) {
      const at = channels * i;
      rgba[4 * i] = pixels[at];
      rgba[4 * i + 1] = pixels[channels > 2 ? at + 1 : at];
      rgba[4 * i + 2] = pixels[channels > 2 ? at + 2 : at];
      rgba[4 * i + 3] = channels % 2 ? 255 : pixels[at + channels - 1];
    }
    if (info.kind === 0) return this.texture2d(width, height, rgba, info.srgb);
    const size = 4 * width * width;
    const face = i => width === height ? rgba : rgba.subarray(i * size, (i + 1) * size);
    return {...this.textureCube(width, [0, 1, 2, 3, 4, 5].map(face)), sky: info.kind === 2};
  }

  setScene(scene) {
    const gl = this.gl;
    for (const [name, shape] of this.shapes)
      if (typeof name !== 'string' || name.includes(':')) {
        for (const part of [shape].filter(Boolean)) {
          gl.deleteBuffer(part.buffer);
          gl.deleteBuffer(part.indices);
          gl.deleteVertexArray(part.vao);
        }
        this.shapes.delete(name);
      }
    for (const texture of this.textures || []) if (texture) gl.deleteTexture(texture.texture);
    this.scene = scene;
    this.table = null;
    this.groups = [];
    this.dynamic = [];
    this.textures = scene.textures.map(info => this.readTexture(scene, info));
    this.skyTexture = this.textures.find(texture => texture && texture.sky) || null;
    const put = (name, shape) => this.shapes.set(name, shape && this.upload(shape));
    scene.meshes.forEach((mesh, i) => put(`mesh:${i}`, meshShape(scene, mesh, i % 2 === 1)));
    scene.hfields.forEach((field, i) => put(`hfield:${i}`, hfieldShape(scene, field)));
    put('haze:', hazeShape(scene.vis.haze));
  }

  // How a texture covers a geom: mode, scale, texture.
  mapping(geom, unit) {
    const material = this.scene.materials[geom.material], none = [0, [1, 1, 1], null];
    const texture = material && this.textures[material.texture];
    if (!texture) return none;
    if (geom.texcoord) return texture.cube ? none : [1, [1, 1, 1], texture];
    if (texture.cube) return [3, material.uniform ? geom.size : [1, 1, 1], texture];
    const scale = [...material.repeat, 1];
    for (let k = 0; k < 2; k++) {
      if (geom.size[k] > 0) {
        if (geom.data >= 0) scale[k] /= geom.size[k];
        if (material.uniform) scale[k] *= geom.size[k];
      }
      scale[k] *= unit[k];
    }
    return [2, scale, texture];
  }

  // The parts that a geom is drawn with: shape, scale, offset along z, and units of its positions.
  parts(geom) {
    const [a, b, c] = geom.size, one = [1, 1, 1];
    switch (geom.kind) {
      case GEOM.plane: {
        if (geom.data < 0 && a > 0 && b > 0) return [['square', [a, b, 1], 0, one]];
        const reach = 1.05 * this.scene.vis.far * this.scene.vis.extent;
        const tile = this.scene.planes[geom.data]?.tile || [1, 1];
        const half = [a, b].map((x, k) => x > 0 ? x : reach + tile[k]);
        return [['square', [...half, 1], 0, [...half, 1]]];
      }
      case GEOM.sphere: case GEOM.ellipsoid: return [['sphere', geom.size, 0, one]];
      case GEOM.cylinder: return [['cylinder', geom.size, 0, one]];
      case GEOM.box: return [['cube', geom.size, 0, one]];
      case GEOM.capsule: {
        const cap = 0.5 * (a + b);
        return [['tube', geom.size, 0, one], ['top', [a, b, cap], c - cap, one],
          ['bottom', [a, b, cap], cap - c, one]];
      }
      case GEOM.mesh: case GEOM.sdf: return [[`mesh:${geom.data}`, one, 0, one]];
      case GEOM.hfield: return [[`hfield:${geom.data}`, one, 0, one]];
      case GEOM.arrow: case GEOM.arrow1: {
        const wide = geom.kind === GEOM.arrow ? 1.75 : 1, unit = c / 6;
        return [['cylinder', [a, b, unit], unit, one], ['cone', [wide * a, wide * b, unit], 2 * unit, one]];
      }
      case GEOM.arrow2: {
        const unit = c / 3;
        return [['tube', [a, b, unit], 0, one], ['cone', [1.75 * a, -1.75 * b, -0.5 * unit], -unit, one],
          ['cone', [1.75 * a, 1.75 * b, 0.5 * unit], unit, one]];
      }
      case GEOM.triangle: return [['triangle', [a, b, 1], 0, one]];
      case GEOM.line: return [['line', [1, 1, c], 0, one]];
      case GEOM.linebox: return [['edges', geom.size, 0, one]];
      case GEOM.flex: case GEOM.skin: return [[`deformed:${geom.kind}:${geom.objid}`, one, 0, one]];
      default: return [];
    }
  }

  // Puts a geom into groups of instances. Returns where its parts are.
  addGeom(groups, geom, object) {
    const placed = [];
    for (const [name, scale, lift, unit] of this.parts(geom)) {
      const shape = this.shapes.get(name);
      if (!shape) continue;
      const [mode, map, texture] = shape.lines ? [0, [1, 1, 1], null] : this.mapping(geom, unit);
      const transparent = geom.rgba[3] < OPAQUE;
      const casts = !shape.lines && geom.category !== DECOR
        && !(geom.kind === GEOM.plane && (geom.size[0] <= 0 || geom.size[1] <= 0));
      const key = `${name}|${texture ? this.textures.indexOf(texture) : ''}|${transparent ? 't' : 'o'}${casts}`;
      let group = groups.get(key);
      if (!group) {
        group = {shape, texture, transparent, casts, data: [], members: []};
        groups.set(key, group);
      }
      const deformed = geom.kind === GEOM.flex || geom.kind === GEOM.skin;
      const quat = deformed ? [1, 0, 0, 0] : geom.quat, pos = deformed ? [0, 0, 0] : geom.pos;
      const flat = shape.lines ? 2 : shape.flat ? 1 : 0;
      placed.push({group, at: group.data.length});
      group.members.push(geom);
      group.data.push(...quat, ...pos, lift, ...scale, mode, ...geom.rgba, geom.surface[0],
        geom.surface[1], 128 * geom.surface[2], flat, ...map, object);
    }
    return placed;
  }

  setTable(table) {
    this.table = table;
    const groups = new Map();
    this.dynamic = [];
    this.planes = [];
    this.objects = [];
    for (const geom of table.elements) {
      const placed = this.addGeom(groups, geom, this.objects.length);
      this.objects.push(geom);
      geom.world = {pos: geom.pos, quat: geom.quat};
      if (geom.slot >= 0) this.dynamic.push({geom, placed});
      else if (geom.kind === GEOM.plane && (geom.size[0] <= 0 || geom.size[1] <= 0))
        this.planes.push({geom, placed});
    }
    this.groups = [...groups.values()];
    for (const group of this.groups) group.array = new Float32Array(group.data);
  }

  // Moves elements with their bodies, and infinite planes by whole tiles under the eye.
  place(frame, eye) {
    const {poses} = frame;
    for (const {geom, placed} of this.dynamic) {
      const s = 7 * geom.slot, p = geom.pos, q = geom.quat;
      const w = poses[s + 3], x = poses[s + 4], y = poses[s + 5], z = poses[s + 6];
      const tx = 2 * (y * p[2] - z * p[1]), ty = 2 * (z * p[0] - x * p[2]), tz = 2 * (x * p[1] - y * p[0]);
      const px = poses[s] + p[0] + w * tx + y * tz - z * ty;
      const py = poses[s + 1] + p[1] + w * ty + z * tx - x * tz;
      const pz = poses[s + 2] + p[2] + w * tz + x * ty - y * tx;
      const qw = w * q[0] - x * q[1] - y * q[2] - z * q[3], qx = w * q[1] + x * q[0] + y * q[3] - z * q[2];
      const qy = w * q[2] - x * q[3] + y * q[0] + z * q[1], qz = w * q[3] + x * q[2] - y * q[1] + z * q[0];
      geom.world = {pos: [px, py, pz], quat: [qw, qx, qy, qz]};
      for (const {group, at} of placed) {
        const a = group.array;
        a[at] = qw; a[at + 1] = qx; a[at + 2] = qy; a[at + 3] = qz;
        a[at + 4] = px; a[at + 5] = py; a[at + 6] = pz;
      }
    }
    for (const {geom, placed} of this.planes) {
      let pos = geom.pos;
      const head = sub3(eye, pos), tile = this.scene.planes[geom.data]?.tile || [1, 1];
      for (let k = 0; k < 2; k++) {
        if (geom.size[k] > 0) continue;
        const axis = rotate(geom.quat, k ? [0, 1, 0] : [1, 0, 0]), step = 2 * tile[k];
        const shift = step * Math.round(dot3(head, axis) / step);
        pos = add3(pos, axis.map(x => x * shift));
      }
      geom.world = {pos, quat: geom.quat};
      for (const {group, at} of placed) for (let k = 0; k < 3; k++) group.array[at + 4 + k] = pos[k];
    }
  }

  // Shapes of flexes and skins, whose vertices come with the frame.
  setDeformed(frame) {
    for (const [key, {count, vertices, normals, uv}] of frame.deformed) {
      const [kind, id] = key.split(':').map(Number), name = `deformed:${kind}:${id}`;
      const skin = kind === GEOM.skin ? this.scene.skins[id] : null;
      const own = skin && skin.uv !== undefined
        ? new Float32Array(this.scene.buffer, this.scene.blob + skin.uv, 2 * count) : uv;
      const data = new Float32Array(8 * count);
      for (let i = 0; i < count; i++) {
        for (let k = 0; k < 3; k++) {
          data[8 * i + k] = vertices[3 * i + k];
          data[8 * i + 3 + k] = normals[4 * i + k] / 127;
        }
        if (own) { data[8 * i + 6] = own[2 * i]; data[8 * i + 7] = own[2 * i + 1]; }
      }
      const gl = this.gl, known = this.shapes.get(name);
      if (known && known.vertices === count) {
        gl.bindBuffer(gl.ARRAY_BUFFER, known.buffer);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
        continue;
      }
      if (known) { gl.deleteBuffer(known.buffer); gl.deleteBuffer(known.indices); gl.deleteVertexArray(known.vao); }
      const index = skin
        ? new Uint32Array(this.scene.buffer, this.scene.blob + skin.index, skin.count)
        : Uint32Array.from({length: count}, (_, i) => i);
      this.shapes.set(name, {...this.upload({vertices: data, index}, true), vertices: count});
    }
  }

  // Draws groups of instances with the current program.
  drawGroups(groups, program, options = {}) {
    const gl = this.gl;
    for (const group of groups) {
      if (!group.array.length || (options.casters && !group.casts)) continue;
      this.bindTexture(group.texture, program);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
      gl.bufferData(gl.ARRAY_BUFFER, group.array, gl.STREAM_DRAW);
      this.drawInstances(group.shape, 0, group.array.length / FLOATS, options.wireframe);
    }
  }

  bindTexture(texture, {at}) {
    if (!at.uTexture) return;
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, (texture && !texture.cube ? texture : this.white).texture);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, (texture && texture.cube ? texture : this.whiteCube).texture);
  }

  drawInstances(shape, first, count, wireframe) {
    const gl = this.gl;
    gl.bindVertexArray(shape.vao);
    for (let i = 0; i < 6; i++)
      gl.vertexAttribPointer(3 + i, 4, gl.FLOAT, false, 4 * FLOATS, 4 * FLOATS * first + 16 * i);
    if (wireframe && !shape.lines) {
      const edges = this.edgesOf(shape);
      gl.bindVertexArray(shape.vao);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, edges.buffer);
      gl.drawElementsInstanced(gl.LINES, edges.count, gl.UNSIGNED_INT, 0, count);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, shape.indices);
    } else {
      gl.drawElementsInstanced(shape.lines ? gl.LINES : gl.TRIANGLES, shape.count, shape.type, 0, count);
    }
    gl.bindVertexArray(null);
  }

  // The lights of a frame as the shaders need them: the headlight first.
  lights(frame, view) {
    const {scene} = this, {vis} = scene, lights = [];
    if (vis.headlight)
      lights.push({pos: view.pos, dir: view.forward, spot: false, ambient: vis.headambient,
        diffuse: vis.headdiffuse, specular: vis.headspecular, att: [1, 0, 0], cutoff: 180, exponent: 0});
    scene.lights.forEach((light, i) => {
      const at = frame.lights[i];
      if (!light.active || light.kind > 1 || !at || lights.length >= MAX_LIGHTS) return;
      lights.push({pos: at.pos, dir: unit3(at.dir), spot: light.kind === 0, ambient: light.ambient,
        diffuse: light.diffuse, specular: light.specular, att: light.attenuation, cutoff: light.cutoff,
        exponent: light.exponent, shadow: light.shadow});
    });
    return lights;
  }

  // The view of a light with a shadow.
  lightView(light, view) {
    const {vis} = this.scene;
    const up = Math.abs(light.dir[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1];
    let {near, far} = view, half = vis.shadowclip * vis.extent;
    if (light.spot) half = near * Math.tan(Math.min(light.cutoff * vis.shadowscale, 80) * Math.PI / 180);
    return multiply4(frustum(-half, half, -half, half, near, far, !light.spot),
      lookAt(light.pos, light.dir, up));
  }

  shadowMap(i) {
    const gl = this.gl;
    if (!this.shadows[i]) {
      const size = Math.min(SHADOW_SIZE, gl.getParameter(gl.MAX_TEXTURE_SIZE));
      const texture = gl.createTexture(), target = gl.createFramebuffer();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
      this.shadows[i] = {texture, target, size};
    }
    return this.shadows[i];
  }

  drawShadows(lights, view, groups) {
    const gl = this.gl, {depth} = this.programs;
    const casting = lights.filter(light => light.shadow).slice(0, MAX_SHADOWS);
    gl.useProgram(depth.program);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 4);
    casting.forEach((light, i) => {
      const map = this.shadowMap(i);
      light.map = i;
      light.view = this.lightView(light, view);
      gl.bindFramebuffer(gl.FRAMEBUFFER, map.target);
      gl.viewport(0, 0, map.size, map.size);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix4fv(depth.at.uView, false, light.view);
      this.drawGroups(groups, depth, {casters: true});
    });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  setLights({at}, lights, shadows) {
    const gl = this.gl, n = MAX_LIGHTS;
    const fill = (width, value) => {
      const array = new Float32Array(width * n);
      lights.forEach((light, i) => array.set(value(light), width * i));
      return array;
    };
    const cosine = light => light.spot && light.cutoff < 180 ? Math.cos(light.cutoff * Math.PI / 180) : -1;
    gl.uniform1i(at.uLights, lights.length);
    gl.uniform4fv(at.uLightPos, fill(4, light => [...light.pos, light.spot ? 1 : 0]));
    gl.uniform4fv(at.uLightDir, fill(4, light => [...light.dir, cosine(light)]));
    gl.uniform4fv(at.uLightAtt, fill(4, light => [...light.att, light.exponent]));
    gl.uniform3fv(at.uAmbient, fill(3, light => light.ambient));
    gl.uniform3fv(at.uDiffuse, fill(3, light => light.diffuse));
    gl.uniform3fv(at.uSpecular, fill(3, light => light.specular));
    const of = new Int32Array(n).fill(-1), views = new Float32Array(16 * MAX_SHADOWS);
    lights.forEach((light, i) => {
      if (shadows && light.map !== undefined) {
        of[i] = light.map;
        views.set(light.view, 16 * light.map);
      }
    });
    gl.uniform1iv(at.uShadowOf, of);
    gl.uniformMatrix4fv(at.uShadowView, false, views);
    gl.uniform1f(at.uGlobalAmbient, lights.length ? 0 : 0.3);
  }

  // Draws a frame. flags: shadow, wireframe, reflection, additive, skybox, fog, haze, depth, segment,
  // idcolor, cullface. `area` is a part of the canvas, in pixels.
  draw(frame, view, flags, area = [0, 0, this.canvas.width, this.canvas.height]) {
    const gl = this.gl, {scene} = this;
    if (!scene || !this.table || frame.table !== this.table.id) return;
    this.place(frame, view.pos);
    this.setDeformed(frame);
    const decor = new Map();
    this.objects.length = this.table.elements.length;
    for (const geom of frame.decor) {
      this.addGeom(decor, geom, this.objects.length);
      this.objects.push(geom);
    }
    const all = [...this.groups, ...decor.values()];
    for (const group of decor.values()) group.array = new Float32Array(group.data);
    const picture = flags.segment ? flags.idcolor ? 3 : 1 : flags.depth ? 2 : 0;
    const lights = this.lights(frame, view);
    const shadows = flags.shadow && !picture;
    const opaque = all.filter(group => !group.transparent && !this.isBehind(group, view));
    if (shadows) this.drawShadows(lights, view, opaque);

    const {main} = this.programs;
    const matrix = multiply4(view.projection, view.matrix);
    gl.viewport(...area);
    gl.scissor(...area);
    gl.enable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 1);
    gl.depthMask(true);
    gl.stencilMask(255);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);
    this.cull(flags);
    const use = () => {
      gl.useProgram(main.program);
      ['uTexture', 'uCube', 'uShadow0', 'uShadow1', 'uShadow2'].forEach((name, i) => gl.uniform1i(main.at[name], i));
      for (let i = 0; i < MAX_SHADOWS; i++) {
        gl.activeTexture(gl.TEXTURE2 + i);
        gl.bindTexture(gl.TEXTURE_2D, this.shadowMap(i).texture);
      }
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.uniformMatrix4fv(main.at.uView, false, matrix);
      gl.uniform3fv(main.at.uEye, view.pos);
      gl.uniform3fv(main.at.uForward, view.forward);
      gl.uniform1i(main.at.uParallel, view.parallel ? 1 : 0);
      gl.uniform1i(main.at.uPicture, picture);
      gl.uniform1f(main.at.uShadowTexel, 1 / this.shadowMap(0).size);
      // a texel and a half, so that surfaces do not shade themselves
      gl.uniform1f(main.at.uShadowBias, 3 * scene.vis.shadowclip * scene.vis.extent / this.shadowMap(0).size);
      gl.uniform4f(main.at.uClip, 0, 0, 0, 1);
      gl.uniform1f(main.at.uDim, 1);
      gl.uniform1f(main.at.uOpacity, 1);
      gl.uniform1f(main.at.uFar, 3 * scene.vis.extent);
      const fog = flags.fog && !picture;
      gl.uniform4f(main.at.uFog, ...scene.vis.fogcolor.slice(0, 3), fog ? 1 : 0);
      gl.uniform2f(main.at.uFogRange, ...scene.vis.fog.map(x => x * scene.vis.extent));
      this.setLights(main, lights, shadows);
    };
    use();
    const mirror = flags.reflection && !picture ? this.findMirror(opaque, view) : null;
    if (mirror) this.drawMirror(mirror, opaque, view, matrix, lights, shadows, flags);
    this.drawGroups(mirror ? opaque.filter(group => group !== mirror.group) : opaque, main, flags);
    if (mirror) this.drawRest(mirror, main, flags);
    if (!picture) {
      this.drawSky(matrix, flags);
      use();
      if (flags.haze && flags.skybox && this.skyTexture) this.drawHaze(view, main);
    }
    this.drawTransparent(all.filter(group => !opaque.includes(group)), view, main, flags);
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
  }

  // The background alone.
  clear() {
    const gl = this.gl, {top, bottom} = this.background;
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...top.map((x, k) => (x + bottom[k]) / 2), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  cull(flags) {
    const gl = this.gl;
    if (flags.cullface) gl.enable(gl.CULL_FACE); else gl.disable(gl.CULL_FACE);
    gl.cullFace(gl.BACK);
  }

  // Whether a group is a single plane that is seen from behind.
  isBehind(group, view) {
    const [geom] = group.members;
    if (geom.kind !== GEOM.plane || group.members.length > 1) return false;
    const {pos, quat} = geom.world || geom;
    return dot3(sub3(view.pos, pos), axisZ(quat)) < 0;
  }

  // The first plane or box that reflects; a box with its upper face.
  findMirror(groups, view) {
    for (const group of groups)
      for (let i = 0; i < group.members.length; i++) {
        const geom = group.members[i];
        if ((geom.kind !== GEOM.plane && geom.kind !== GEOM.box) || !(geom.surface[3] > 0)) continue;
        const {pos, quat} = geom.world || geom, normal = axisZ(quat);
        const point = geom.kind === GEOM.box ? add3(pos, normal.map(x => x * geom.size[2])) : pos;
        if (dot3(sub3(view.pos, point), normal) < 0) return null;
        return {group, index: i, point, normal, reflectance: geom.surface[3]};
      }
    return null;
  }

  // The mirrored scene inside the mirror, then the mirror itself added to it.
  drawMirror({group, index, point, normal, reflectance}, groups, view, matrix, lights, shadows, flags) {
    const gl = this.gl, {main} = this.programs, {at} = main;
    const one = {...group, array: group.array.slice(FLOATS * index, FLOATS * (index + 1))};
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.ALWAYS, 1, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    gl.colorMask(false, false, false, false);
    gl.depthMask(false);
    this.drawGroups([one], main);
    gl.colorMask(true, true, true, true);
    gl.depthMask(true);
    gl.stencilFunc(gl.EQUAL, 1, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    gl.uniformMatrix4fv(at.uView, false, multiply4(matrix, mirror4(point, normal)));
    gl.uniform4f(at.uClip, ...normal, -dot3(normal, point) - 1e-5);
    gl.uniform1f(at.uDim, reflectance);
    const away = 2 * dot3(sub3(view.pos, point), normal);
    gl.uniform3fv(at.uEye, sub3(view.pos, normal.map(x => x * away)));
    const ahead = 2 * dot3(view.forward, normal);
    gl.uniform3fv(at.uForward, sub3(view.forward, normal.map(x => x * ahead)));
    this.setLights(main, lights, false);
    gl.cullFace(gl.FRONT);
    this.drawGroups(groups.filter(other => other !== group), main, flags);
    gl.cullFace(gl.BACK);
    gl.uniformMatrix4fv(at.uView, false, matrix);
    gl.uniform4f(at.uClip, 0, 0, 0, 1);
    gl.uniform1f(at.uDim, 1);
    gl.uniform3fv(at.uEye, view.pos);
    gl.uniform3fv(at.uForward, view.forward);
    this.setLights(main, lights, shadows);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    this.drawGroups([one], main, flags);
    gl.disable(gl.BLEND);
    gl.disable(gl.STENCIL_TEST);
  }

  // The others of the mirror's group.
  drawRest({group, index}, main, flags) {
    const array = new Float32Array(group.array.length - FLOATS);
    array.set(group.array.subarray(0, FLOATS * index));
    array.set(group.array.subarray(FLOATS * (index + 1)), FLOATS * index);
    this.drawGroups([{...group, array}], main, flags);
  }

  drawSky(matrix, flags) {
    const gl = this.gl, {program, at} = this.programs.sky;
    const sky = flags.skybox ? this.skyTexture : null;
    gl.useProgram(program);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, (sky || this.whiteCube).texture);
    gl.uniform1i(at.uCube, 1);
    gl.uniform1i(at.uSky, sky ? 1 : 0);
    gl.uniform3fv(at.uTop, this.background.top);
    gl.uniform3fv(at.uBottom, this.background.bottom);
    gl.uniformMatrix4fv(at.uInverse, false, invert(matrix));
    gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(this.sky);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindVertexArray(null);
    this.cull(flags);
  }

  // The ring of haze around the first plane without an end.
  drawHaze(view, main) {
    const plane = this.planes.find(({geom}) => geom.size[0] <= 0 && geom.size[1] <= 0)?.geom;
    if (!plane) return;
    const gl = this.gl, reach = SKY * view.far;
    const elevation = dot3(sub3(view.pos, plane.world.pos), axisZ(plane.quat)) / reach;
    if (elevation < 0) return;
    const rgb = this.scene.vis.hazecolor.slice(0, 3);
    const data = [...plane.quat, ...view.pos, -reach * elevation, reach, reach, reach * elevation, 0,
      ...rgb, 1, 0, 0, 0, 3, 1, 1, 1, -1];
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    gl.disable(gl.CULL_FACE);
    this.drawGroups([{shape: this.shapes.get('haze:'), texture: null, array: new Float32Array(data)}], main);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // Transparent parts from far to near; planes are the farthest.
  drawTransparent(groups, view, main, flags) {
    const gl = this.gl, items = [];
    for (const group of groups)
      for (let i = 0; i < group.array.length / FLOATS; i++) {
        const at = FLOATS * i, geom = group.members[i];
        const away = sub3([...group.array.subarray(at + 4, at + 7)], view.pos);
        const plane = geom && geom.kind === GEOM.plane;
        items.push({group, i, behind: plane && dot3(away, axisZ(geom.quat)) > 0,
          distance: plane ? 1e10 : length3(away)});
      }
    if (!items.length) return;
    items.sort((a, b) => b.distance - a.distance);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, flags.additive ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    this.cull(flags);
    let last = null;
    for (const {group, i, behind} of items) {
      if (group !== last) {
        gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
        gl.bufferData(gl.ARRAY_BUFFER, group.array, gl.STREAM_DRAW);
        this.bindTexture(group.texture, main);
        last = group;
      }
      gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
      gl.cullFace(behind ? gl.FRONT : gl.BACK);
      gl.uniform1f(main.at.uOpacity, behind ? BEHIND : 1);
      this.drawInstances(group.shape, i, 1, flags.wireframe);
    }
    gl.cullFace(gl.BACK);
  }

  // The object at a place of the canvas, in parts of it from the lower left; null: none.
  pick(frame, view, x, y) {
    const gl = this.gl, {pick} = this.programs;
    if (!this.table || frame.table !== this.table.id) return null;
    if (!this.pickTarget) {
      this.pickTarget = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickTarget);
      for (const [format, attachment] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
        const buffer = gl.createRenderbuffer();
        gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
        gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
      }
    }
    const [sx, sy] = [this.canvas.width, this.canvas.height];
    // one pixel fills the picture
    const zoom = new Float32Array([sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, 1, 0,
      -sx * (2 * x - 1), -sy * (2 * y - 1), 0, 1]);
    const matrix = multiply4(zoom, multiply4(view.projection, view.matrix));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickTarget);
    gl.viewport(0, 0, 1, 1);
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.enable(gl.CULL_FACE);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(pick.program);
    gl.uniformMatrix4fv(pick.at.uView, false, matrix);
    this.drawGroups(this.groups, pick);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const id = pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
    return id < 0 ? null : this.objects[id] || null;
  }
}

// The inverse of a matrix, by cofactors.
function invert(m) {
  const inv = new Float32Array(16), a = m;
  const s = [a[0] * a[5] - a[4] * a[1], a[0] * a[6] - a[4] * a[2], a[0] * a[7] - a[4] * a[3],
    a[1] * a[6] - a[5] * a[2], a[1] * a[7] - a[5] * a[3], a[2] * a[7] - a[6] * a[3]];
  const c = [a[8] * a[13] - a[12] * a[9], a[8] * a[14] - a[12] * a[10], a[8] * a[15] - a[12] * a[11],
    a[9] * a[14] - a[13] * a[10], a[9] * a[15] - a[13] * a[11], a[10] * a[15] - a[14] * a[11]];
  const det = s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0];
  const d = 1 / (det || 1e-30);
  inv[0] = (a[5] * c[5] - a[6] * c[4] + a[7] * c[3]) * d;
  inv[1] = (-a[1] * c[5] + a[2] * c[4] - a[3] * c[3]) * d;
  inv[2] = (a[13] * s[5] - a[14] * s[4] + a[15] * s[3]) * d;
  inv[3] = (-a[9] * s[5] + a[10] * s[4] - a[11] * s[3]) * d;
  inv[4] = (-a[4] * c[5] + a[6] * c[2] - a[7] * c[1]) * d;
  inv[5] = (a[0] * c[5] - a[2] * c[2] + a[3] * c[1]) * d;
  inv[6] = (-a[12] * s[5] + a[14] * s[2] - a[15] * s[1]) * d;
  inv[7] = (a[8] * s[5] - a[10] * s[2] + a[11] * s[1]) * d;
  inv[8] = (a[4] * c[4] - a[5] * c[2] + a[7] * c[0]) * d;
  inv[9] = (-a[0] * c[4] + a[1] * c[2] - a[3] * c[0]) * d;
  inv[10] = (a[12] * s[4] - a[13] * s[2] + a[15] * s[0]) * d;
  inv[11] = (-a[8] * s[4] + a[9] * s[2] - a[11] * s[0]) * d;
  inv[12] = (-a[4] * c[3] + a[5] * c[1] - a[6] * c[0]) * d;
  inv[13] = (a[0] * c[3] - a[1] * c[1] + a[2] * c[0]) * d;
  inv[14] = (-a[12] * s[3] + a[13] * s[1] - a[14] * s[0]) * d;
  inv[15] = (a[8] * s[3] - a[9] * s[1] + a[10] * s[0]) * d;
  return inv;
}

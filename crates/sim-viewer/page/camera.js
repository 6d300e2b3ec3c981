// Cameras: one that turns about a point, and those of the model.
import {add3, clamp, cross3, frustum, lookAt, scale3, sub3} from './math.js';

export class OrbitCamera {
  constructor() {
    Object.assign(this, {lookat: [0, 0, 0], distance: 3, azimuth: 90, elevation: -30, fixed: -1, track: -1,
      extent: 1});
  }

  // The view that the model asks for.
  home(scene) {
    const {vis} = scene;
    Object.assign(this, {lookat: [...vis.center], distance: 1.5 * vis.extent, azimuth: vis.azimuth,
      elevation: vis.elevation, extent: vis.extent, track: -1, offset: null,
      fixed: vis.camera >= 0 && vis.camera < scene.cameras.length ? vis.camera : -1});
  }

  axes() {
    const a = this.azimuth * Math.PI / 180, e = this.elevation * Math.PI / 180;
    const [ca, sa, ce, se] = [Math.cos(a), Math.sin(a), Math.cos(e), Math.sin(e)];
    const forward = [ce * ca, ce * sa, se];
    return {forward, up: [-se * ca, -se * sa, ce], right: [sa, -ca, 0],
      pos: sub3(this.lookat, scale3(forward, this.distance))};
  }

  // Keeps the followed body in the middle.
  follow(frame) {
    const at = this.track >= 0 && frame.tracked.get(this.track);
    if (at) this.lookat = [...at];
  }

  view(scene, frame, aspect, camera = this.fixed) {
    const {vis} = scene, near = vis.near * vis.extent, far = vis.far * vis.extent;
    let place = this.axes(), fovy = vis.fovy, parallel = vis.parallel !== 0;
    let [left, right, bottom, top] = [0, 0, 0, 0];
    const info = scene.cameras[camera], at = frame && frame.cameras[camera];
    if (info && at) {
      place = {...at, right: cross3(at.forward, at.up)};
      fovy = info.fovy;
      parallel = info.parallel !== 0;
    }
    if (info && at && !parallel && info.sensor[1] > 0) {
      const [fx, fy, cx, cy] = info.intrinsic, [w, h] = info.sensor;
      [bottom, top] = [-near / fy * (h / 2 - cy), near / fy * (h / 2 + cy)];
      [left, right] = [-near / fx * (w / 2 - cx), near / fx * (w / 2 + cx)];
      // the sensor's shape fits into the picture
      const middle = (left + right) / 2, half = (top - bottom) / 2 * aspect;
      [left, right] = [middle - half, middle + half];
    } else {
      top = parallel ? fovy / 2 : near * Math.tan(fovy * Math.PI / 360);
      bottom = -top;
      right = top * aspect;
      left = -right;
    }
    return {...place, near, far, parallel, aspect, half: parallel ? top : top / near,
      matrix: lookAt(place.pos, place.forward, place.up),
      projection: frustum(left, right, bottom, top, near, far, parallel)};
  }

  // Mouse moves are parts of the height of the picture.
  turn(dx, dy) {
    this.fixed = -1;
    this.azimuth -= dx * 180;
    this.elevation = clamp(this.elevation - dy * 180, -89, 89);
  }
  pan(dx, dy, half, horizontal) {
    this.fixed = -1;
    if (this.track >= 0) this.track = -1;
    const {forward, up, right} = this.axes(), speed = 2 * half * this.distance;
    const ahead = horizontal ? [forward[0], forward[1], 0] : up;
    const length = Math.hypot(...ahead) || 1;
    this.lookat = add3(this.lookat, add3(scale3(right, -dx * speed), scale3(ahead, dy * speed / length)));
  }
  zoom(amount) {
    this.fixed = -1;
    this.distance = clamp(this.distance * Math.exp(amount), 0.01 * this.extent, 100 * this.extent);
  }
}

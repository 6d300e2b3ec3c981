// Shaders. Light is MuJoCo's: ambient, diffuse and Blinn-Phong highlights from each light, clamped
// for each light with a shadow and for all others together, then times the texture.

export const MAX_LIGHTS = 8;
export const MAX_SHADOWS = 3;

const INSTANCE = `
layout(location=0) in vec3 aPosition;
layout(location=1) in vec3 aNormal;
layout(location=2) in vec2 aTexcoord;
layout(location=3) in vec4 iQuat;
layout(location=4) in vec4 iPlace;   // position, offset along z
layout(location=5) in vec4 iScale;   // scale, way of mapping
layout(location=6) in vec4 iColor;
layout(location=7) in vec4 iSurface; // emission, specular, shininess, flat
layout(location=8) in vec4 iMap;     // scale of the mapping, number of the object
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
vec3 place() {
  vec3 p = aPosition * iScale.xyz + vec3(0.0, 0.0, iPlace.w);
  return turn(iQuat, p) + iPlace.xyz;
}`;

export const VERTEX = `#version 300 es
precision highp float;
${INSTANCE}
uniform mat4 uView;
out vec3 vWorld, vNormal, vLocal;
out vec2 vTexcoord;
flat out vec4 vColor, vSurface, vMap;
flat out float vMode;
void main() {
  vWorld = place();
  vNormal = turn(iQuat, aNormal / iScale.xyz);
  vLocal = aPosition * iMap.xyz;
  vTexcoord = iScale.w == 2.0
    ? vec2(0.5 * iMap.x * aPosition.x - 0.5, -0.5 * iMap.y * aPosition.y - 0.5) : aTexcoord;
  vColor = iColor;
  vSurface = iSurface;
  vMap = iMap;
  vMode = iScale.w;
  gl_Position = uView * vec4(vWorld, 1.0);
}`;

export const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 vWorld, vNormal, vLocal;
in vec2 vTexcoord;
flat in vec4 vColor, vSurface, vMap;
flat in float vMode;
uniform vec3 uEye, uForward;
uniform bool uParallel;
uniform int uLights, uPicture;
uniform vec4 uLightPos[${MAX_LIGHTS}];   // w: 1 for a spot light
uniform vec4 uLightDir[${MAX_LIGHTS}];   // w: cosine of the cutoff
uniform vec4 uLightAtt[${MAX_LIGHTS}];   // w: exponent
uniform vec3 uAmbient[${MAX_LIGHTS}], uDiffuse[${MAX_LIGHTS}], uSpecular[${MAX_LIGHTS}];
uniform int uShadowOf[${MAX_LIGHTS}];
uniform mat4 uShadowView[${MAX_SHADOWS}];
uniform float uShadowTexel, uShadowBias;
uniform sampler2DShadow uShadow0, uShadow1, uShadow2;
uniform sampler2D uTexture;
uniform samplerCube uCube;
uniform vec4 uClip;
uniform float uDim, uOpacity;
uniform vec4 uFog;
uniform vec2 uFogRange;
uniform float uGlobalAmbient;
uniform float uFar;
out vec4 color;

float lit(sampler2DShadow map, mat4 view, vec3 normal) {
  vec4 p = view * vec4(vWorld + normal * uShadowBias, 1.0);
  vec3 at = p.xyz / p.w * 0.5 + 0.5;
  if (p.w <= 0.0 || any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++)
      sum += texture(map, vec3(at.xy + vec2(x, y) * 0.7 * uShadowTexel, at.z));
  return sum / 9.0;
}

vec3 light(int i, vec3 n, vec3 eye, vec3 rgb) {
  bool spot = uLightPos[i].w > 0.5;
  vec3 l = spot ? uLightPos[i].xyz - vWorld : -uLightDir[i].xyz;
  float d = length(l);
  l /= max(d, 1e-9);
  float strength = 1.0;
  if (spot) {
    vec3 a = uLightAtt[i].xyz;
    strength = 1.0 / max(a.x + a.y * d + a.z * d * d, 1e-9);
    float cosine = dot(-l, uLightDir[i].xyz);
    float cutoff = uLightDir[i].w;
    if (cutoff > -0.999) strength *= cosine <= cutoff ? 0.0 : pow(max(cosine, 0.0), uLightAtt[i].w);
  }
  float nl = dot(n, l);
  vec3 sum = uAmbient[i] * rgb + max(nl, 0.0) * uDiffuse[i] * rgb;
  if (nl > 0.0) {
    float nh = max(dot(n, normalize(l + eye)), 0.0);
    float shine = vSurface.z > 0.0 ? pow(nh, vSurface.z) : 1.0;
    sum += shine * vSurface.y * uSpecular[i];
  }
  return strength * sum;
}

vec3 hashColor(float id) {
  vec3 p = fract(vec3(id + 1.0) * vec3(0.61803, 0.75488, 0.56984));
  return 0.25 + 0.75 * p;
}

void main() {
  if (dot(vec4(vWorld, 1.0), uClip) < 0.0) discard;
  vec4 texel = vec4(1.0);
  if (vMode == 1.0 || vMode == 2.0) texel = texture(uTexture, vTexcoord);
  else if (vMode == 3.0) texel = texture(uCube, vLocal);
  if (uPicture == 1) { color = vec4(hashColor(vMap.w), 1.0); return; }
  if (uPicture == 3) {
    float id = vMap.w + 1.0;
    color = vec4(mod(id, 256.0), mod(floor(id / 256.0), 256.0), floor(id / 65536.0), 255.0) / 255.0;
    return;
  }
  if (uPicture == 2) {
    color = vec4(vec3(1.0 - clamp(dot(vWorld - uEye, uForward) / uFar, 0.0, 1.0)), 1.0);
    return;
  }
  float alpha = vColor.a * texel.a * uOpacity;
  if (vSurface.w == 2.0) { color = vec4(vColor.rgb, alpha); return; }
  if (vSurface.w == 3.0) { color = vec4(vColor.rgb, alpha * vTexcoord.x); return; }
  vec3 n = vSurface.w == 1.0 ? cross(dFdx(vWorld), dFdy(vWorld)) : vNormal;
  n = normalize(n);
  vec3 eye = uParallel ? -uForward : normalize(uEye - vWorld);
  if (vSurface.w == 1.0 && dot(n, eye) < 0.0) n = -n;
  vec3 rgb = vColor.rgb;
  vec3 open = (vSurface.x + uGlobalAmbient) * rgb, shaded = vec3(0.0);
  for (int i = 0; i < ${MAX_LIGHTS}; i++) {
    if (i >= uLights) break;
    vec3 c = light(i, n, eye, rgb);
    int s = uShadowOf[i];
    if (s < 0) { open += c; continue; }
    float reach = s == 0 ? lit(uShadow0, uShadowView[0], n)
      : s == 1 ? lit(uShadow1, uShadowView[1], n) : lit(uShadow2, uShadowView[2], n);
    shaded += min(c, vec3(1.0)) * reach;
  }
  vec3 sum = (clamp(open, 0.0, 1.0) + shaded) * texel.rgb * uDim;
  if (uFog.w > 0.0) {
    float d = dot(vWorld - uEye, uForward);
    sum = mix(sum, uFog.rgb, clamp((d - uFogRange.x) / (uFogRange.y - uFogRange.x), 0.0, 1.0));
  }
  color = vec4(min(sum, vec3(1.0)), alpha);
}`;

// Depth only, for shadow maps.
export const DEPTH_VERTEX = `#version 300 es
precision highp float;
${INSTANCE}
uniform mat4 uView;
void main() { gl_Position = uView * vec4(place(), 1.0); }`;
export const DEPTH_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

// The number of the object, for picking.
export const PICK_VERTEX = `#version 300 es
precision highp float;
${INSTANCE}
uniform mat4 uView;
flat out float vId;
void main() { vId = iMap.w; gl_Position = uView * vec4(place(), 1.0); }`;
export const PICK_FRAGMENT = `#version 300 es
precision highp float;
flat in float vId;
out vec4 color;
void main() {
  float id = vId + 1.0;
  color = vec4(mod(id, 256.0), mod(floor(id / 256.0), 256.0), floor(id / 65536.0), 255.0) / 255.0;
}`;

// The sky or, without one, a quiet background.
export const SKY_VERTEX = `#version 300 es
precision highp float;
uniform mat4 uInverse;
out vec3 vRay;
out vec2 vAt;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 far = uInverse * vec4(p, 1.0, 1.0);
  vec4 near = uInverse * vec4(p, -1.0, 1.0);
  vRay = far.xyz / far.w - near.xyz / near.w;
  vAt = p * 0.5 + 0.5;
  gl_Position = vec4(p, 0.99999994, 1.0);
}`;
export const SKY_FRAGMENT = `#version 300 es
precision highp float;
in vec3 vRay;
in vec2 vAt;
uniform samplerCube uCube;
uniform bool uSky;
uniform vec3 uTop, uBottom;
out vec4 color;
void main() {
  if (uSky) {
    // the sky is painted on a closed cylinder around the eye
    vec3 r = normalize(vRay);
    float reach = min(1.0 / max(length(r.xy), 1e-6), 1.0 / max(abs(r.z), 1e-6));
    vec3 p = r * reach;
    color = vec4(texture(uCube, vec3(p.x, p.z, -p.y)).rgb, 1.0);
  } else {
    vec3 c = mix(uBottom, uTop, smoothstep(0.0, 1.0, vAt.y));
    float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453);
    color = vec4(c + (grain - 0.5) / 255.0, 1.0);
  }
}`;

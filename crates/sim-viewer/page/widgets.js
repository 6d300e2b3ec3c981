// Small parts of the page.

// Makes an element: el('button', {class: 'icon', onclick}, 'text', child).
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

export const byId = id => document.getElementById(id);

const PATHS = {
  menu: '<path d="M4 6h16M4 12h10M4 18h16"/>',
  sliders: '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  play: '<path class="solid" d="M8 5.5v13l11-6.5z"/>',
  pause: '<path class="solid" d="M7 5.5h3.5v13H7zM13.5 5.5H17v13h-3.5z"/>',
  next: '<path class="solid" d="M6 6v12l8-6z"/><path d="M17 6v12"/>',
  back: '<path class="solid" d="M18 6v12l-8-6z"/><path d="M7 6v12"/>',
  reset: '<path d="M4 12a8 8 0 1 0 2.6-5.9"/><path d="M4 4v4.5h4.5"/>',
  hand: '<path d="M8 13V5.5a1.5 1.5 0 0 1 3 0V11M11 10.5v-6a1.5 1.5 0 0 1 3 0V11M14 11V6a1.5 1.5 0 0 1 3 0v7c0 4-2.200 7-6 7-3 0-4.500-1.500-6-4.500L3.700 12.800a1.500 1.500 0 0 1 2.600-1.500L8 14"/>',
  plot: '<path d="M4 4v16h16"/><path d="m7 15 4-5 3 3 5-7"/>',
  camera: '<rect x="3" y="7" width="18" height="13" rx="3"/><circle cx="12" cy="13.500" r="3.500"/><path d="M8 7l1.500-3h5L16 7"/>',
  film: '<rect x="3" y="6" width="12" height="12" rx="2.500"/><path d="m15 11 6-3.500v9L15 13"/>',
  stop: '<rect class="solid" x="6" y="6" width="12" height="12" rx="2"/>',
  theme: '<circle cx="12" cy="12" r="8"/><path class="solid" d="M12 4a8 8 0 0 1 0 16z"/>',
  help: '<path d="M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400"/><path d="M12 17.500v.01"/><circle cx="12" cy="12" r="9"/>',
  home: '<path d="m4 11 8-7 8 7"/><path d="M6 10v9h12v-9"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  view: '<rect x="3" y="4" width="18" height="16" rx="2.500"/><path d="M3 10h18M12 10v10"/>',
};

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.innerHTML = PATHS[name];
  return svg;
}

export function iconButton(name, title, onclick, more = '') {
  return el('button', {class: `icon ${more}`, title, 'aria-label': title, onclick}, icon(name));
}

export function setIcon(button, name, title) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.title = title;
  button.setAttribute('aria-label', title);
  button.replaceChildren(icon(name));
}

// A slider with a number beside it. `set` is called with what the user chooses.
export function slider(label, low, high, set, title = label) {
  const range = el('input', {type: 'range', min: low, max: high, step: 'any', 'aria-label': label});
  const number = el('input', {type: 'number', step: 'any', 'aria-label': `${label}, value`});
  let held = false;
  const fill = () => range.style.setProperty('--part', `${100 * (range.value - low) / (high - low || 1)}%`);
  range.addEventListener('input', () => {
    number.value = (+range.value).toFixed(3);
    fill();
    set(+range.value);
  });
  range.addEventListener('pointerdown', () => { held = true; });
  for (const event of ['pointerup', 'pointercancel', 'change']) range.addEventListener(event, () => { held = false; });
  number.addEventListener('change', () => { if (number.value !== '') set(+number.value); });
  number.addEventListener('keydown', event => { if (event.key === 'Enter') number.blur(); });
  const element = el('div', {class: 'slider'}, el('label', {title}, label), number, range);
  return {element, show(value) {
    if (held || document.activeElement === number) return;
    range.value = value;
    number.value = value.toFixed(3);
    fill();
  }};
}

export function section(title, open, note = '') {
  const body = el('div', {class: 'body'}), small = el('small', {}, note);
  const element = el('details', {open}, el('summary', {}, title, small), body);
  return {element, body, note: text => { small.textContent = text; }};
}

export function row(label, ...children) {
  return el('div', {class: 'row'}, el('label', {title: label}, label), ...children);
}

export function choice(label, names, set) {
  const select = el('select', {'aria-label': label, onchange: () => set(+select.value)},
    ...names.map((name, i) => el('option', {value: i}, name)));
  return {element: row(label, select), select, show: value => { select.value = value; }};
}

// A button that is on or off.
export function chip(label, set, title = label) {
  let on = false;
  const button = el('button', {title, 'aria-pressed': 'false', onclick: () => set(!on)}, label);
  return {element: button, label, show(value) {
    on = !!value;
    button.classList.toggle('on', on);
    button.setAttribute('aria-pressed', on);
  }};
}

let noticeTimer = 0;
export function notice(text, ...buttons) {
  const box = byId('notice');
  box.replaceChildren(text, ...buttons);
  box.hidden = false;
  clearTimeout(noticeTimer);
  if (!buttons.length) noticeTimer = setTimeout(() => { box.hidden = true; }, 2600);
}
export function endNotice() { byId('notice').hidden = true; }

export function save(name, content, type = 'text/plain') {
  const blob = content instanceof Blob ? content : new Blob([content], {type});
  const link = el('a', {href: URL.createObjectURL(blob), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const fromBase64 = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied`);
  } catch {
    save(`${what.toLowerCase().replace(/\W+/g, '-')}.xml`, text);
  }
}

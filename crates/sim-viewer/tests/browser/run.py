"""Tests of the viewer in a real browser: `python3 run.py path/to/cortenforge [name ...]`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

from chromium import Browser, Socket, View

HERE = pathlib.Path(__file__).parent
SCENE = HERE / "scene.xml"
SIZE = (1100, 600)
ALT, CTRL, SHIFT = 1, 2, 8
# pictures are small and without shadows: the browser draws them on the CPU
LOW = "&quality=low"
PLAIN = "viewer.ratio = 0.4; viewer.setFlag('shadow', false); viewer.setFlag('reflection', false); true"


class Test:
    """The program, the browser, and a page of the test scene that tests share."""

    def __init__(self, program):
        self.program = program
        self.browser = Browser()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="viewer-test-"))
        self.view, self.page = None, None

    def open(self, url, size=SIZE):
        page = self.browser.page(*size)
        page.open(url + LOW)
        page.wait("window.viewer && viewer.drawn > 0")
        return page

    def shared(self):
        if self.page is None:
            self.view = View(self.program, SCENE)
            self.page = self.open(self.view.url)
        return self.page

    def send(self, text):
        self.page.run(f"viewer.source.send({json.dumps(text)}); true")

    def close(self):
        if self.view:
            self.view.close()
        self.browser.close()


def test_first_frame(test):
    with View(test.program, SCENE) as view:
        page = test.browser.page(*SIZE)
        start = time.monotonic()
        page.open(view.url + LOW)
        page.wait("window.viewer && viewer.drawn > 0")
        took = time.monotonic() - start
        before = page.run("viewer.frame.time")
        page.wait(f"viewer.frame.time > {before} + 0.1")
        colours = page.run("""(() => {
            const gl = viewer.renderer.gl, {width, height} = viewer.canvas;
            const pixels = new Uint8Array(4 * width * height), seen = new Set();
            gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            for (let i = 0; i < pixels.length; i += 4) seen.add(pixels[i] >> 4 | (pixels[i + 1] >> 4) << 4 | (pixels[i + 2] >> 4) << 8);
            return seen.size;
        })()""")
        assert colours > 20, f"{colours} colours"
        assert not page.errors, page.errors
        page.close()
        # the program ends with its last page
        view.process.wait(15)
        assert view.process.returncode == 0
    return f"{took:.2f} s"


def test_orbit_and_zoom(test):
    page = test.shared()
    before = page.run("[viewer.camera.azimuth, viewer.camera.elevation, viewer.camera.distance, ...viewer.camera.lookat]")
    page.drag((550, 450), (620, 420))
    page.mouse("mouseWheel", 550, 450, dy=200)
    page.drag((550, 450), (560, 470), "right")
    after = page.run("[viewer.camera.azimuth, viewer.camera.elevation, viewer.camera.distance, ...viewer.camera.lookat]")
    assert all(abs(a - b) > 1e-3 for a, b in zip(before[:4], after[:4])), (before, after)
    page.key("Home", "Home")
    page.wait(f"Math.abs(viewer.camera.azimuth - {before[0]}) < 1e-6")


def place(page, body):
    """Where a body is on the page."""
    return page.run(f"""(() => {{
        const index = viewer.scene.bodies.indexOf('{body}'), slot = viewer.table.bodies.indexOf(index);
        const v = viewer.view(), p = [...viewer.frame.poses.slice(7 * slot, 7 * slot + 3)];
        const m = multiply(v.projection, v.matrix);
        function multiply(a, b) {{ const r = []; for (let c = 0; c < 4; c++) for (let i = 0; i < 4; i++) {{
            let s = 0; for (let k = 0; k < 4; k++) s += a[4 * k + i] * b[4 * c + k]; r[4 * c + i] = s; }} return r; }}
        const row = r => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
        return [(row(0) / row(3) + 1) / 2 * innerWidth, (1 - row(1) / row(3)) / 2 * innerHeight, p[2]];
    }})()""")


def test_select_and_inspect(test):
    page = test.shared()
    test.send("play 0")
    page.wait("viewer.status.paused")
    page.run("viewer.home(); true")
    x, y, _ = place(page, "ball")
    page.double_click(x, y)
    page.wait("viewer.status.selectedname === 'ball'")
    page.wait("document.querySelector('#right .facts').textContent.includes('ball')")
    assert page.run("viewer.status.selected === viewer.scene.bodies.indexOf('ball')")
    # the mouse over a body tells its name
    told = "!document.getElementById('hover').hidden && document.getElementById('hover').textContent.includes('ball')"
    for moved in range(30):
        page.mouse("mouseMoved", x + moved % 2, y)
        try:
            page.wait(told, 2)
            break
        except AssertionError:
            continue
    page.wait(told, 2)
    test.send("body 0")
    page.wait("viewer.status.selected === 0")


def test_perturb(test):
    page = test.shared()
    test.send("key 0")
    test.send("play 1")
    page.wait("!viewer.status.paused")
    x, y, before = place(page, "ball")
    height = []

    def hold():
        page.wait("viewer.status.dragging === 1")
        end = time.monotonic() + 30
        while time.monotonic() < end:
            height.append(place(page, "ball")[2])
            if height[-1] > before + 0.1:
                return
            time.sleep(0.1)

    page.drag((x, y), (x, y - 150), modifiers=ALT, hold=hold)
    assert max(height) > before + 0.1, (before, height)
    page.wait("viewer.status.dragging === 0")


def test_pause_step_and_scrub(test):
    page = test.shared()
    test.send("play 1")
    page.wait("viewer.status.history[1] > 12")
    page.run("document.getElementById('canvas').focus(); true")
    page.key(" ", "Space")
    page.wait("viewer.status.paused")
    time.sleep(0.3)
    now = page.run("viewer.frame.time")
    page.key("ArrowRight", "ArrowRight")
    page.wait(f"viewer.frame.time > {now}")
    page.run("""(() => { const t = document.getElementById('timeline'); t.value = 1;
        t.dispatchEvent(new Event('input')); })()""")
    page.wait(f"viewer.frame.time < {now} && viewer.status.history[0] === 1")
    # the future is another one from here
    count = page.run("viewer.status.history[1]")
    page.key(" ", "Space")
    page.wait(f"!viewer.status.paused && viewer.status.history[1] < {count}")


def test_sliders(test):
    page = test.shared()
    test.send("play 0")
    page.wait("viewer.status.paused")
    page.run("""(() => { const range = [...document.querySelectorAll('#right input[type=range]')]
        .find(input => input.getAttribute('aria-label') === 'elbow');
        range.value = 1.25; range.dispatchEvent(new Event('input')); })()""")
    page.wait("Math.abs(viewer.frame.ctrl[1] - 1.25) < 1e-5")
    page.run("""(() => { const numbers = [...document.querySelectorAll('#right input[type=number]')]
        .filter(input => input.getAttribute('aria-label') === 'shoulder, value');
        numbers[1].value = 0.5; numbers[1].dispatchEvent(new Event('change')); })()""")
    page.wait("Math.abs(viewer.frame.qpos[0] - 0.5) < 1e-5")
    test.send("clear")
    page.wait("viewer.frame.ctrl[1] === 0")


def test_flags_groups_and_options(test):
    page = test.shared()
    test.send("play 0")
    before = page.run("viewer.frame.decor.length")
    page.run("document.getElementById('canvas').focus(); true")
    page.key("j", "KeyJ")
    page.wait(f"viewer.status.vis[2] === 1 && viewer.frame.decor.length > {before}")
    page.key("j", "KeyJ")
    page.wait(f"viewer.status.vis[2] === 0 && viewer.frame.decor.length === {before}")
    elements = page.run("viewer.table.elements.length")
    page.key("0", "Digit0")
    # the next key goes by the status, which comes apart from the scene
    page.wait(f"viewer.table.elements.length < {elements} && !viewer.status.groups[0][0]")
    page.key("0", "Digit0")
    page.wait(f"viewer.table.elements.length === {elements} && viewer.status.groups[0][0]")
    test.send("label 1")
    page.wait("viewer.frame.labels.some(label => label.text === 'ball')")
    test.send("label 0")
    test.send("option gravity 0 0 -3")
    page.wait("viewer.status.options.gravity[2] === -3")
    test.send("option gravity 0 0 -9.81")
    page.run("""[...document.querySelectorAll('#left button')].find(b => b.textContent === 'gravity').click(); true""")
    page.wait("viewer.status.disableflags === 128")
    test.send("disable 7 0")
    page.wait("viewer.status.disableflags === 0")


# clicks everything of a list once, waits until the status says so, and again
CLICK_ALL = """(async () => {
    const buttons = [...document.querySelectorAll('%s')].filter(button => %s);
    const state = () => JSON.stringify(%s), pressed = () => buttons.map(b => b.getAttribute('aria-pressed'));
    const before = state(), shown = pressed();
    const until = async test => { while (!test()) await new Promise(done => setTimeout(done, 20)); };
    for (const button of buttons) button.click();
    await until(() => pressed().every((p, i) => p !== shown[i]));
    const changed = state() !== before;
    for (const button of buttons) button.click();
    await until(() => state() === before && pressed().every((p, i) => p === shown[i]));
    return changed ? buttons.length : 0;
})()"""


def test_every_flag_group_label_and_frame(test):
    page = test.shared()
    test.send("play 0")
    page.wait("viewer.status.paused")
    page.run("document.querySelectorAll('#left details').forEach(d => { d.open = true; }); true")
    # 31 visual flags and 7 x 6 groups, by their buttons
    count = page.run(CLICK_ALL % (
        "#left .chips button", "!button.closest('.control') && !(button.textContent in {Shadow: 1, "
        "Wireframe: 1, Reflection: 1, Additive: 1, Skybox: 1, Fog: 1, Haze: 1, Depth: 1, Segment: 1, "
        "'Id colour': 1, 'Cull face': 1})", "viewer.status.vis"))
    assert count == 31, count
    count = page.run(CLICK_ALL % ("#left .groups button", "true", "viewer.status.groups"))
    assert count == 42, count
    # all flags that switch parts of the physics
    count = page.run(CLICK_ALL % ("#left .chips.control button", "true",
                                  "[viewer.status.disableflags, viewer.status.enableflags]"))
    assert count >= 24, count
    # 17 kinds of labels and 8 of frames, by their lists
    for name, field, kinds in (("Labels", "label", 17), ("Frames", "frame", 8)):
        count = page.run(f"""(async () => {{
            const list = document.querySelector('#left select[aria-label={name}]');
            for (let i = list.options.length - 1; i >= 0; i--) {{
                list.value = i;
                list.dispatchEvent(new Event('change'));
                while (viewer.status.{field} !== i) await new Promise(done => setTimeout(done, 10));
            }}
            return list.options.length; }})()""")
        assert count == kinds, (name, count)


def test_every_effect_changes_the_picture(test):
    page = test.shared()
    changed = page.run("""(() => {
        const gl = viewer.renderer.gl, {width, height} = viewer.canvas;
        let view = viewer.view();
        const base = {shadow: false, wireframe: false, reflection: false, additive: false, skybox: true, fog: false,
            haze: false, depth: false, segment: false, idcolor: false, cullface: true};
        const picture = flags => {
            viewer.renderer.draw(viewer.frame, view, flags);
            const pixels = new Uint8Array(4 * width * height);
            gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            let hash = 0;
            for (const x of pixels) hash = (31 * hash + x) | 0;
            return hash;
        };
        let plain = picture(base);
        const seen = Object.keys(base).filter(flag => {
            // from outside, faces that look away are behind others: a camera in the crate sees its walls
            if (flag === 'cullface') {
                const slot = viewer.table.bodies.indexOf(viewer.scene.bodies.indexOf('crate'));
                const lookat = [...viewer.frame.poses.slice(7 * slot, 7 * slot + 3)];
                const camera = Object.assign(Object.create(viewer.camera), {fixed: -1, lookat, distance: 0.01});
                view = camera.view(viewer.scene, viewer.frame, width / height);
                plain = picture(base);
            }
            const other = {...base, [flag]: !base[flag]};
            if (flag === 'idcolor') return picture({...other, segment: true}) !== picture({...base, segment: true});
            return picture(other) !== plain;
        });
        viewer.lastKey = '';
        return seen;
    })()""")
    assert len(changed) == 11, changed
    page.run("document.getElementById('canvas').focus(); true")
    for key, flag in (("w", "wireframe"), ("g", "fog"), ("k", "skybox")):
        page.key(key, f"Key{key.upper()}")
        page.key(key, f"Key{key.upper()}")
        assert page.run(f"viewer.flags.{flag}") == (flag == "skybox")


def test_every_option(test):
    page = test.shared()
    for name, values in (("timestep", "0.004"), ("impratio", "2"), ("tolerance", "1e-6"),
                         ("ls_tolerance", "0.02"), ("noslip_tolerance", "1e-5"), ("ccd_tolerance", "1e-5"),
                         ("gravity", "1 2 -3"), ("wind", "1 0 0"), ("magnetic", "0 1 0"),
                         ("density", "1.2"), ("viscosity", "0.1"), ("integrator", "1"), ("cone", "1"),
                         ("jacobian", "1"), ("solver", "1"), ("iterations", "50"),
                         ("ls_iterations", "20"), ("noslip_iterations", "3"), ("ccd_iterations", "40")):
        before = page.run(f"viewer.status.options.{name}")
        numbers = [float(word) for word in values.split()]
        # by the fields of the panel where there are some
        page.run(f"""(() => {{
            const fields = [...document.querySelectorAll('#left [aria-label="{name}"]')], values = {numbers};
            fields.forEach((field, i) => {{ field.value = values[i]; }});
            fields[0].dispatchEvent(new Event('change')); }})()""")
        page.wait(f"viewer.status.options.{name}.every((x, i) => Math.abs(x - {numbers}[i]) < 1e-12)")
        test.send(f"option {name} {' '.join(map(repr, before))}")
        page.wait(f"viewer.status.options.{name}.every((x, i) => x === {before}[i])")


def test_keyframes_noise_and_typed_numbers(test):
    page = test.shared()
    click = """(name => { [...document.querySelectorAll('#left button, #right button')].find(b => b.textContent === name).click(); return true; })"""
    test.send("play 0")
    test.send("step 30")
    page.wait("viewer.status.paused && viewer.frame.time > 0.02")
    page.run(click + "('Load')")
    page.wait("viewer.frame.time === 0 && Math.abs(viewer.frame.qpos[0] + 1) < 1e-5")
    # the present state becomes the keyframe
    test.send("set qpos 0 0.25")
    page.wait("Math.abs(viewer.frame.qpos[0] - 0.25) < 1e-6")
    page.run(click + "('Keep here')")
    test.send("set qpos 0 1")
    page.wait("Math.abs(viewer.frame.qpos[0] - 1) < 1e-6")
    page.run(click + "('Load')")
    page.wait("Math.abs(viewer.frame.qpos[0] - 0.25) < 1e-6")
    test.send("set qpos 0 -1")
    page.wait("Math.abs(viewer.frame.qpos[0] + 1) < 1e-6")
    page.run(click + "('Keep here')")
    # noise by its slider
    page.run("""(() => { const range = document.querySelector('#left input[aria-label="Control noise"]');
        range.value = 0.5; range.dispatchEvent(new Event('input')); })()""")
    page.wait("viewer.status.noise[0] === 0.5")
    test.send("step 5")
    page.wait("viewer.frame.ctrl[0] !== 0")
    test.send("noise 0 0.1")
    page.wait("viewer.status.noise[0] === 0")
    # a number is typed with the keyboard
    page.run("document.querySelector('#right input[aria-label=\"elbow, value\"]').select(); true")
    for key in "0.75":
        page.key(key)
    page.key("Enter", "Enter")
    page.wait("Math.abs(viewer.frame.ctrl[1] - 0.75) < 1e-6")
    page.run(click + "('Clear all')")
    page.wait("viewer.frame.ctrl[0] === 0 && viewer.frame.ctrl[1] === 0")


def test_the_past_has_marks_and_pictures(test):
    page = test.shared()
    test.send("reset")
    test.send("play 1")
    page.wait("viewer.timeline.pictures.length > 2 && viewer.status.touching.some(n => n > 0)")
    test.send("play 0")
    page.wait("viewer.status.paused")
    box = page.run("(() => { const b = document.getElementById('timeline').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
    page.mouse("mouseMoved", box[0] + 0.5 * box[2], box[1] + 0.5 * box[3])
    page.wait("!document.getElementById('thumb').hidden && document.querySelector('#thumb canvas') && /\\d s$/.test(document.getElementById('thumb').textContent)")
    colours = page.run("""(() => { const c = document.getElementById('marks');
        return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(x => x > 0); })()""")
    assert colours, "no marks are drawn"
    page.mouse("mouseMoved", 550, 300)
    page.wait("document.getElementById('thumb').hidden")


def test_ctrl_drags_pull_turn_and_follow(test):
    page = test.shared()
    test.send("key 0")
    test.send("play 1")
    test.send("body " + str(page.run("viewer.scene.bodies.indexOf('ball')")))
    page.run("viewer.home(); true")
    page.wait("viewer.status.selectedname === 'ball' && viewer.selected > 0 && !viewer.status.paused")
    for button, bit, moved in (("right", 1, "Math.abs(viewer.frame.inspected.linear[2]) + Math.abs(viewer.frame.inspected.force[2]) > 0.01"),
                               ("left", 2, "[...viewer.frame.inspected.angular].some(x => Math.abs(x) > 0.05)")):
        def hold():
            page.wait(f"viewer.status.dragging === {bit} && {moved}")
        page.drag((550, 350), (600, 280), button, CTRL, hold=hold)
        page.wait("viewer.status.dragging === 0")
    test.send("play 0")
    page.wait("viewer.status.paused")
    test.send("key 0")
    # what is picked is what was drawn
    page.wait("viewer.frame.time === 0 && !viewer.fresh")
    x, y, _ = place(page, "ball")
    for clicks in (1, 2):
        page.mouse("mousePressed", x, y, "right", clicks, CTRL, 2)
        page.mouse("mouseReleased", x, y, "right", clicks, CTRL)
    page.wait("viewer.camera.track === viewer.scene.bodies.indexOf('ball') && viewer.status.tracked > 0")
    page.run("viewer.home(); true")
    test.send("body 0")
    page.wait("viewer.status.tracked === -1 && viewer.status.selected === 0")


def test_cameras_and_tracking(test):
    page = test.shared()
    page.run("document.getElementById('canvas').focus(); true")
    page.key("]", "BracketRight")
    page.wait("viewer.camera.fixed === 0 && Math.abs(viewer.view().pos[1] + 3) < 1e-5")
    page.key("Escape", "Escape")
    page.wait("viewer.camera.fixed === -1")
    page.run("viewer.track(viewer.scene.bodies.indexOf('ball')); true")
    page.wait("viewer.frame.tracked.size === 1")
    page.wait("Math.abs(viewer.camera.lookat[0] - [...viewer.frame.tracked.values()][0][0]) < 1e-6")
    page.run("viewer.home(); viewer.toggleViews(); true")
    seen = "[...document.querySelectorAll('.view img')].filter(img => img.naturalWidth === 320)"
    page.wait(f"{seen}.length === 2")
    # the same cameras as depth and as segments
    for kind in (1, 2):
        before = page.run(f"{seen}[0].src")
        page.run(f"document.querySelector('.view select').value = {kind}; true")
        page.wait(f"{seen}.length === 2 && {seen}[0].src !== '{before}'")
    page.run("viewer.toggleViews(); true")


def test_search_plots_and_texts(test):
    page = test.shared()
    page.run("""(() => { const s = document.getElementById('search'); s.value = 'angle';
        s.dispatchEvent(new Event('input')); document.querySelector('#found button').click(); })()""")
    page.wait("viewer.plots.series.length === 1")
    test.send("watch qvel 1")
    page.wait("viewer.plots.series.length === 2")
    test.send("play 1")
    page.wait("viewer.plots.series[1].times.length > 20")
    assert page.run("viewer.plots.series[0].values.every(Number.isFinite)")
    page.run("window.saved = []; URL.createObjectURL = blob => { saved.push(blob); return 'blob:x'; }; viewer.plots.csv(); true")
    lines = page.run("saved[0].text()").splitlines()
    assert lines[0].startswith("time,sensordata[0],qvel[1]") and len(lines) > 20, lines[:2]
    # what the solver did and what a step costs, and a closer look with the wheel
    for typed in ("solver_niter 0", "timer 0", "ncon"):
        page.run(f"viewer.plots.field.value = '{typed}'; viewer.plots.addTyped(); true")
    page.wait("viewer.plots.series.length === 5 && viewer.plots.series.every(s => s.values.length > 5)")
    assert page.run("viewer.plots.series.find(s => s.name === 'timer').values.at(-1) > 0")
    before = page.run("viewer.plots.window")
    page.run("viewer.plots.canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: -300, cancelable: true})); true")
    assert page.run("viewer.plots.window") < before
    page.run("viewer.plots.clear(); viewer.plots.toggle(false); true")
    page.run("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }; true")
    test.send("pose")
    assert "<key" in page.wait("window.copied")
    page.run("window.copied = ''; viewer.copyCamera(); true")
    assert "<camera pos=" in page.wait("window.copied")
    test.send("print data")
    test.send("print model")
    page.wait("saved.length === 3")
    texts = [page.run(f"saved[{i}].text()") for i in (1, 2)]
    assert "ncon" in texts[0] and "nbody" in texts[1], [text[:80] for text in texts]
    page.key("?", "Slash")
    page.wait("document.getElementById('help').open")
    page.run("document.getElementById('help').close(); true")


def test_speed_reset_and_noise(test):
    page = test.shared()
    test.send("speed 1")
    page.wait("viewer.status.speed === 1")
    page.run("document.getElementById('canvas').focus(); true")
    page.key("-", "Minus")
    page.wait("viewer.status.speed < 1")
    page.key("+", "Equal")
    page.wait("viewer.status.speed === 1")
    test.send("play 0")
    test.send("noise 0.5 0.1")
    page.wait("viewer.status.noise[0] === 0.5 && viewer.status.noise[1] === 0.1")
    test.send("noise 0 0")
    page.wait("viewer.status.noise[0] === 0")
    test.send("step 20")
    page.wait("viewer.frame.time > 0.01")
    page.key("Backspace", "Backspace")
    page.wait("viewer.frame.time === 0")


def test_equalities_frames_and_files(test):
    page = test.shared()
    test.send("play 0")
    page.wait("viewer.frame.equalities[0] === 0")
    page.run("[...document.querySelectorAll('#right button')].find(b => b.textContent === 'stiff elbow').click(); true")
    page.wait("viewer.frame.equalities[0] === 1")
    test.send("set eq_active 0 0")
    page.wait("viewer.frame.equalities[0] === 0")
    decor = page.run("viewer.frame.decor.length")
    page.run("document.getElementById('canvas').focus(); true")
    page.key("F6", "F6")
    page.wait(f"viewer.status.frame === 1 && viewer.frame.decor.length > {decor}")
    test.send("frame 0")
    page.wait("viewer.status.frame === 0")
    page.run("window.files = []; URL.createObjectURL = blob => { files.push(blob); return 'blob:x'; }; viewer.screenshot(); true")
    page.wait("files.length === 1 && files[0].type === 'image/png' && files[0].size > 1000")
    test.send("xml")
    page.wait("files.length === 2")
    assert "<mujoco" in page.run("files[1].text()")
    # the compiled model and a recording, which open again
    test.send("mjb")
    page.wait("files.length === 3")
    compiled = test.folder / "model.mjb"
    compiled.write_bytes(bytes(page.run("files[2].arrayBuffer().then(b => [...new Uint8Array(b)])")))
    told = subprocess.run([test.program, "info", str(compiled)], capture_output=True, text=True)
    assert told.returncode == 0 and "forearm" in told.stdout, told
    test.send("step 40")
    test.send("replay")
    page.wait("files.length === 4")
    recorded = test.folder / "recorded.html"
    recorded.write_text(page.run("files[3].text()"))
    other = test.open(recorded.as_uri() + "#")
    assert other.run("viewer.source.live === false && viewer.scene.bodies.includes('forearm')")
    other.close()
    # a video of what is seen; a slow machine encodes late, and an encoder keeps its first pictures back
    test.send("play 1")
    for pictures in (4, 16, 64):
        page.run("files.length = 4; viewer.record(); window.begun = viewer.drawn; true")
        page.wait(f"viewer.lastKey = '', viewer.drawn > begun + {pictures}")
        page.run("viewer.record(); true")
        page.wait("files.length === 5")
        assert page.run("/^video/.test(files[4].type)")
        if page.run("files[4].size") > 1000:
            break
    else:
        raise AssertionError("the video is empty")
    test.send("play 0")
    # panels are hidden and shown, or left out altogether
    shown = page.run("document.body.classList.contains('no-left')")
    page.key("Tab", "Tab")
    page.wait(f"document.body.classList.contains('no-left') !== {str(shown).lower()}")
    page.key("Tab", "Tab")
    page.wait(f"document.body.classList.contains('no-left') === {str(shown).lower()}")
    shown = page.run("document.body.classList.contains('no-right')")
    for _ in range(2):
        page.key("Tab", "Tab", SHIFT)
        shown = not shown
        page.wait(f"document.body.classList.contains('no-right') === {str(shown).lower()}")
    bare = test.open(test.view.url.replace("/#", "/?ui=0#"))
    assert bare.run("document.body.classList.contains('bare')")
    bare.close()


def test_drop_of_a_model_and_of_a_recording(test):
    folder = test.folder / "robot"
    folder.mkdir()
    (folder / "part.xml").write_text(
        "<mujoco><worldbody><body name='dropped'><geom size='.2'/></body></worldbody></mujoco>")
    (folder / "scene.xml").write_text('<mujoco><include file="part.xml"/></mujoco>')
    replay = test.folder / "dropped.html"
    subprocess.run([test.program, "simulate", str(SCENE), "--time", "1", "--replay", str(replay)],
                   check=True, capture_output=True)
    with View(test.program, SCENE) as view:
        page = test.open(view.url)
        page.drop(550, 300, folder / "part.xml", folder / "scene.xml")
        page.wait("viewer.scene.bodies.includes('dropped') && viewer.frame")
        assert page.run("viewer.scene.title") == "scene"
        # a folder, with another folder inside
        deep = test.folder / "deep"
        (deep / "parts").mkdir(parents=True)
        (deep / "parts" / "leg.xml").write_text(
            "<mujoco><worldbody><body name='leg'><geom size='.2'/></body></worldbody></mujoco>")
        (deep / "walker.xml").write_text('<mujoco><include file="parts/leg.xml"/></mujoco>')
        page.drop_paths(550, 300, deep)
        page.wait("viewer.scene.bodies.includes('leg') && viewer.frame")
        page.drop(550, 300, replay)
        page.wait("viewer.source.live === false && viewer.frame && viewer.frame.time > 0.1")
        assert page.run("viewer.scene.bodies.includes('forearm')")
        assert not page.errors, page.errors
        page.close()


def test_errors_and_reload(test):
    path = test.folder / "model.xml"
    good = "<mujoco>\n  <worldbody>\n    <body name='one'><geom size='.1'/></body>\n  </worldbody>\n</mujoco>\n"
    path.write_text(good.replace("size", "sise"))
    with View(test.program, path) as view:
        page = test.browser.page(*SIZE)
        page.open(view.url)
        text = page.wait("window.viewer && !document.getElementById('error').hidden && document.getElementById('error').textContent")
        for part in ("sise", "model.xml:3:", "did you mean 'size'", "<body name='one'>"):
            assert part in text, text
        path.write_text(good)
        page.wait("document.getElementById('error').hidden && viewer.scene.bodies.includes('one')")
        path.write_text(good.replace("<geom", "<geo"))
        page.wait("!document.getElementById('error').hidden")
        assert page.run("viewer.scene.bodies.includes('one')"), "the last good model stays"
        page.close()


def test_replay_from_disk(test):
    path = test.folder / "replay.html"
    subprocess.run([test.program, "simulate", str(SCENE), "--time", "2", "--replay", str(path)],
                   check=True, capture_output=True)
    page = test.open(path.as_uri() + "#")
    page.wait("viewer.frame.time > 0.2")
    assert abs(page.run("viewer.source.end") - 2) < 0.05
    page.run("viewer.source.seek(60); true")
    page.wait("Math.abs(viewer.frame.time - 1) < 0.03 && viewer.status.paused")
    x, y, _ = place(page, "crate")
    page.double_click(x, y)
    page.wait("viewer.selected === viewer.scene.bodies.indexOf('crate')")
    assert not page.errors, page.errors
    page.close()
    return f"{path.stat().st_size // 1000} kB"


def test_grid(test):
    with View(test.program, SCENE, "--grid", "4") as view:
        page = test.open(view.url)
        page.wait("viewer.frame.worlds && viewer.frame.worlds.length === 4")
        page.wait("viewer.frame.time > 0.5 && new Set(viewer.frame.worlds.map(w => w.poses[10])).size === 4")
        page.close()


def test_two_pages(test):
    page = test.shared()
    other = test.open(test.view.url)
    page.wait("viewer.controls")
    other.wait("viewer.controls === false && document.body.classList.contains('watching')")
    other.run("viewer.source.play(!viewer.status.paused); viewer.source.send('control'); true")
    other.wait("viewer.controls === true")
    page.wait("viewer.controls === false")
    other.close()
    page.wait("viewer.controls === true")


def test_strangers_stay_outside(test):
    test.shared()
    view = test.view
    page = test.browser.page(*SIZE)
    page.open(view.url.replace(view.token, "0" * 32))
    page.wait("window.viewer && document.getElementById('notice').textContent.includes('token')")
    assert page.run("viewer.scene === undefined")
    # a page of another origin
    page.open("data:text/html,<title>elsewhere</title>")
    page.run(f"""window.state = 'open'; window.socket = new WebSocket('ws://{view.host}/socket');
        socket.onmessage = () => {{ state = 'message'; }}; socket.onerror = () => {{ state = 'refused'; }}; true""")
    page.wait("state === 'refused'")
    page.close()
    for origin in ("http://evil.example", None):
        socket = Socket(f"ws://{view.host}/socket", origin)
        assert socket.status == 403, socket.status
        socket.close()
    request = urllib.request.Request(f"http://{view.host}/", headers={"Host": "evil.example"})
    try:
        urllib.request.urlopen(request)
        raise AssertionError("a foreign host was served")
    except urllib.error.HTTPError as error:
        assert error.code == 403


SSIM = """(async () => {
    const box = viewer.canvas.getBoundingClientRect();
    Object.assign(viewer.flags, {shadow: true, reflection: true});
    viewer.renderer.draw(viewer.frame, viewer.view(), viewer.flags);
    const draw = source => { const c = document.createElement('canvas'); c.width = 440; c.height = 240;
        const g = c.getContext('2d'); g.drawImage(source, 0, 0, 440, 240); return g.getImageData(0, 0, 440, 240).data; };
    const page = draw(viewer.canvas);
    const blob = await new Promise(done => { const old = viewer.onImage; viewer.onImage = message => { viewer.onImage = old; done(message.blob); };
        viewer.sentCamera = ''; viewer.sendCamera(); viewer.source.send('image -1 440 240 0'); });
    const server = draw(await createImageBitmap(blob));
    const grey = d => Float32Array.from({length: d.length / 4}, (_, i) => 0.3 * d[4 * i] + 0.59 * d[4 * i + 1] + 0.11 * d[4 * i + 2]);
    const [a, b] = [grey(page), grey(server)];
    let total = 0, count = 0, error = 0;
    for (let y = 0; y + 8 <= 240; y += 4) for (let x = 0; x + 8 <= 440; x += 4) {
        let sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
        for (let j = 0; j < 8; j++) for (let i = 0; i < 8; i++) {
            const p = a[(y + j) * 440 + x + i], q = b[(y + j) * 440 + x + i];
            sa += p; sb += q; saa += p * p; sbb += q * q; sab += p * q; }
        const n = 64, ma = sa / n, mb = sb / n, va = saa / n - ma * ma, vb = sbb / n - mb * mb, c = sab / n - ma * mb;
        total += (2 * ma * mb + 6.5) * (2 * c + 58.5) / ((ma * ma + mb * mb + 6.5) * (va + vb + 58.5)); count++; }
    return total / count;
})()"""


def test_same_picture_as_the_renderer(test):
    page = test.shared()
    for line in ("play 0", "body 0", "step 5"):
        test.send(line)
    page.wait("viewer.status.paused && viewer.status.label === 0 && viewer.status.selected === 0")
    page.wait("viewer.frame.time > 0")
    # a frame of the keyframe is one after all of that
    test.send("key 0")
    page.wait("Math.abs(viewer.frame.time) < 1e-9")
    page.run("viewer.home(); viewer.ratio = 1; true")
    page.wait("viewer.canvas.width === Math.round(viewer.canvas.getBoundingClientRect().width)")
    similarity = page.run(SSIM)
    page.run(PLAIN)
    assert similarity >= 0.93, similarity
    return f"SSIM {similarity:.4f}"


def test_small_screen(test):
    page = test.shared()
    page.size(390, 700)
    page.wait("innerWidth === 390")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    page.run("viewer.showSide('left', true); true")
    assert page.run("document.getElementById('left').getBoundingClientRect().right <= innerWidth")
    assert page.run("document.body.classList.contains('no-right')")
    assert page.run("document.getElementById('bottom').getBoundingClientRect().right <= innerWidth")
    page.run("viewer.showSide('left', false); true")
    page.size(*SIZE)
    page.wait(f"innerWidth === {SIZE[0]}")
    page.run("viewer.showSide('left', true); viewer.showSide('right', true); true")


def test_without_webgl(test):
    with Browser(["--disable-3d-apis"]) as browser, View(test.program, SCENE) as view:
        page = browser.page(640, 400)
        page.open(view.url)
        page.wait("window.viewer && viewer.renderer === null && viewer.pictures > 1")
        assert page.run("document.getElementById('picture').naturalWidth === 640")
        page.close()


def attempt(test, name, run):
    """Runs a test, tells what came of it, and returns whether it passed."""
    begun = time.monotonic()
    try:
        note = run(test) or ""
        if test.page and test.page.errors:
            raise AssertionError(f"errors in the page: {test.page.errors}")
    except Exception as error:  # the others still run
        print(f"FAIL  {name[5:]:<32} {type(error).__name__}: {error}", flush=True)
        return False
    print(f"ok    {name[5:]:<32} {time.monotonic() - begun:5.1f} s  {note}", flush=True)
    return True


def main():
    program, *names = sys.argv[1:]
    tests = {name: run for name, run in globals().items() if name.startswith("test_")
             and (not names or any(part in name for part in names))}
    test, failed, start = Test(program), 0, time.monotonic()
    try:
        for name, run in tests.items():
            if attempt(test, name, run):
                continue
            # a browser may be late on a busy machine: once more, with nothing left of the first time
            test.close()
            test = Test(program)
            failed += not attempt(test, name, run)
    finally:
        test.close()
    print(f"{len(tests) - failed} passed, {failed} failed, {time.monotonic() - start:.0f} s")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

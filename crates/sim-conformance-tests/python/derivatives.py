"""Derivatives of a step, beside MuJoCo: finite differences, exact ones, their products and cost.

  derivatives.py [CORPUS] [--part PART ...] [--states N] [--only NAME ...] [--json FILE]

Parts: `differences` compares `mjd_transitionFD` and `mjd_inverseFD` of both engines; `exact` compares
exact derivatives with centred differences of MuJoCo's step; `products` checks ten steps in a row and
vector products; `parameters` compares with steps of an edited model; `sensors` compares readings; `cost`
measures time.

What is judged is decided by the reference alone, from its differences at several steps h. A column is
smooth if contacts and the states of constraint rows are the same on both sides of the state, controls are
inside their ranges, and both one-sided differences have the same limit: their distance is `jump + c h`, and
the jump that two steps in a row show must be below 1e-5 of the column. The reference knows a derivative as
well as two centred differences in a row agree. By a bar only columns are judged that it knows to that bar:
99 % of errors by 1e-6, all by 1e-5. Where it knows less, our error must be within what it does not know.

Curved geoms meet by an iteration that stops early. There, both engines iterate until the distance is known
to 1e-12, and contacts are moved from there to the nearest points of the true surfaces (`nearest.py`): in the
steps of the reference, and in the state that is differentiated.
"""

import argparse
import json
import pathlib
import sys
import time

import cortenforge
import mujoco
import nearest
import numpy as np
from cortenforge import derivatives

ROOT = pathlib.Path(__file__).parents[3]
SPEC = int(mujoco.mjtState.mjSTATE_INTEGRATION)
STEPS = (1e-5, 1e-6, 1e-7)  # of differences
SHARES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # of a parameter, likewise
SHARE, MOST, ALL = 0.99, 1e-6, 1e-5  # bars of the comparison with the full step
CCD = 1e-12, 500  # tolerance and iterations for curved geoms
INTEGRATORS = {'euler': 0, 'rk4': 1, 'implicit': 2, 'implicitfast': 3}

# models of the repository, then those of the corpus; a suffix chooses a cone or an integrator
OWN = ('figure', 'figure:contacts', 'figure:contacts:elliptic', 'figure:contacts:rk4', 'figure:contacts:implicit',
       'figure:contacts:implicitfast', 'mixed_joints',
       'ball_chain', 'ball_spring', 'chain_30', 'contact_elliptic', 'contact_pyramids', 'contact_pairs',
       'equality_bodies', 'equality_scalars', 'friction_loss', 'limits', 'muscle', 'general_actuators',
       'servos', 'tendon_springs', 'tendon_fixed', 'pulleys', 'wrap_sphere', 'wrap_cylinder',
       'wrap_sphere_inside', 'transmission_site', 'transmission_slidercrank', 'transmission_joint',
       'adhesion', 'fluid_box_wind', 'fluid_ellipsoid', 'gravcomp', 'applied_forces', 'actearly',
       'implicit_clamped', 'integrate_implicit', 'integrate_implicitfast', 'integrate_rk4', 'islands',
       'mesh_contacts', 'joint_force_limits')
CORPUS = ('mujoco/model/humanoid/humanoid.xml', 'mujoco/model/humanoid/humanoid.xml:elliptic',
          'menagerie/agility_cassie/scene.xml', 'menagerie/google_barkour_vb/scene.xml',
          'menagerie/booster_t1/scene.xml', 'menagerie/shadow_hand/scene_right.xml',
          'menagerie/wonik_allegro/scene_right.xml', 'menagerie/trossen_wx250s/scene.xml',
          'menagerie/robotiq_2f85/scene.xml', 'dm_control/dm_control/suite/quadruped.xml',
          'dm_control/dm_control/suite/humanoid_CMU.xml', 'gymnasium/gymnasium/envs/mujoco/assets/ant.xml',
          'gymnasium/gymnasium/envs/mujoco/assets/half_cheetah.xml',
          'gymnasium/gymnasium/envs/mujoco/assets/pusher.xml',
          'mujoco/mjx/mujoco/mjx/test_data/actuator/arm26.xml',
          'myosuite/myosuite/simhive/myo_sim/finger/myofinger_v0.xml')
DIFFERENCED = CORPUS + (
    'dm_control/dm_control/suite/acrobot.xml', 'dm_control/dm_control/suite/reacher.xml',
    'dm_control/dm_control/suite/swimmer.xml', 'dm_control/dm_control/suite/finger.xml',
    'gymnasium/gymnasium/envs/mujoco/assets/walker2d.xml', 'gymnasium/gymnasium/envs/mujoco/assets/swimmer.xml',
    'mujoco/doc/_static/example.xml', 'mujoco/doc/_static/tendon.xml',
    'mujoco/test/engine/testdata/derivative/damped_actuators.xml',
    'mujoco/test/engine/testdata/derivative/linear.xml',
    'mujoco/test/engine/testdata/derivative/damped_pendulum.xml',
    'mujoco/test/engine/testdata/actuation/refsite.xml', 'mujoco/test/engine/testdata/actuation/activation.xml',
    'mujoco/test/engine/testdata/equality_site_body_compare.xml', 'mujoco/test/engine/testdata/weld.xml',
    'mujoco/model/slider_crank/slider_crank.xml', 'mujoco/mjx/mujoco/mjx/test_data/sensor/model.xml',
    'menagerie/bitcraze_crazyflie_2/scene.xml')
SENSED = ('dm_control/dm_control/suite/quadruped.xml', 'menagerie/booster_t1/scene.xml',
          'menagerie/agility_cassie/scene.xml', 'dm_control/dm_control/suite/humanoid_CMU.xml',
          'dm_control/dm_control/suite/finger.xml', 'menagerie/google_barkour_vb/scene.xml')
COSTS = (('mujoco/model/humanoid/humanoid.xml', 30), ('mujoco/model/humanoid/humanoid.xml:elliptic', 30),
         ('menagerie/agility_cassie/scene.xml', 30), ('menagerie/booster_t1/scene.xml', 30),
         ('dm_control/dm_control/suite/humanoid_CMU.xml', 30), ('menagerie/shadow_hand/scene_right.xml', 30),
         ('menagerie/google_barkour_vb/scene.xml', 20), ('gymnasium/gymnasium/envs/mujoco/assets/ant.xml', 20),
         ('menagerie/trossen_wx250s/scene.xml', 8))

SHAPES = {'sphere': '0.1', 'capsule': '0.07 0.12', 'ellipsoid': '0.12 0.09 0.07', 'cylinder': '0.08 0.11',
          'box': '0.1 0.08 0.06'}
# the reference meets these by an iteration that stops early
ITERATIVE = {frozenset(pair) for pair in (('ellipsoid',), ('ellipsoid', 'capsule'), ('ellipsoid', 'cylinder'),
                                          ('ellipsoid', 'box'), ('ellipsoid', 'sphere'), ('cylinder',),
                                          ('cylinder', 'box'), ('cylinder', 'capsule'))}


def pairs():
  """Models of two bodies for every pair of primitive geoms, by name."""
  names = list(SHAPES)
  for i, first in enumerate(['plane', *names]):
    for second in names[max(0, i - 1):]:
      fixed = '<geom type="plane" size="2 2 0.1"/>'
      held = f'<body name="a" pos="0 0 0.3"><freejoint/><geom type="{first}" size="{SHAPES.get(first)}"/></body>'
      yield f'{first}-{second}', f"""
        <mujoco><option timestep="0.002"/>
          <worldbody>{fixed if first == 'plane' else held}
            <body name="b"><freejoint/><geom type="{second}" size="{SHAPES[second]}" condim="4"/></body>
          </worldbody>
        </mujoco>"""


class Pair:
  """A model in both engines, prepared for exact references."""

  def __init__(self, name, corpus):
    self.name = name
    path, *options = name.split(':')
    own = not path.endswith('.xml')
    path = str(ROOT / 'models' / f'{path}.xml' if own else pathlib.Path(corpus) / path)
    self.load(mujoco.MjModel.from_xml_path(path), cortenforge.MjModel.from_xml_path(path), options)

  @classmethod
  def of_text(cls, name, text):
    self = cls.__new__(cls)
    self.name = name
    self.load(mujoco.MjModel.from_xml_string(text), cortenforge.MjModel.from_xml_string(text), [])
    return self

  def load(self, reference, model, options):
    self.reference, self.model = reference, model
    self.data = mujoco.MjData(reference)
    self.ours = cortenforge.MjData(model)
    self.curved = False
    for option in options:
      for m in (reference, model):
        if option in INTEGRATORS:
          m.opt.integrator = INTEGRATORS[option]
        elif option == 'contacts':  # which the model switches off
          m.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT)
        else:
          m.opt.cone = 1 if option == 'elliptic' else 0

  def converge(self):
    """Lets both solvers run until rounding stops them, and contacts of meshes be met well enough for
    differences: at the default tolerance, those of a ball at an edge are off by 5e-5."""
    for m in (self.reference, self.model):
      m.opt.ccd_tolerance = 1e-8
      m.opt.solver = 2
      m.opt.iterations, m.opt.tolerance = 100, 0.0
      m.opt.ls_tolerance, m.opt.ls_iterations = 1e-4, 100
    # without islands the states of rows are those of the solution
    self.reference.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    return self

  def iterate(self):
    """Lets both engines meet curved geoms to rounding, and judges by the nearest points themselves."""
    self.curved = True
    for m in (self.reference, self.model):
      m.opt.ccd_tolerance, m.opt.ccd_iterations = CCD
    return self

  def states(self, count, seed=0):
    """Reachable states, with a warm start of their own."""
    m, d, random = self.reference, self.data, np.random.default_rng(seed)
    for number in range(count):
      if number % 5 == 0 or any(w.number for w in d.warning):
        mujoco.mj_resetData(m, d)
        if m.nkey and random.random() < 0.5:
          mujoco.mj_resetDataKeyframe(m, d, random.integers(m.nkey))
        mujoco.mj_integratePos(m, d.qpos, random.normal(0, 0.1, m.nv), 1)
        for w in d.warning:
          w.number = 0
      low, high = np.where(m.actuator_ctrllimited[:, None] != 0, m.actuator_ctrlrange, [-1, 1]).T
      for _ in range(random.integers(10, 60)):
        d.ctrl[:] = random.uniform(low + 0.05 * (high - low), high - 0.05 * (high - low))
        mujoco.mj_step(m, d)
      d.qvel[:] += random.normal(0, 0.1, m.nv)
      mujoco.mj_forward(m, d)
      if not any(w.number for w in d.warning):
        yield self.state()

  def state(self):
    state = np.zeros(mujoco.mj_stateSize(self.reference, SPEC))
    mujoco.mj_getState(self.reference, self.data, state, SPEC)
    return state

  def touching(self, count, seed=0):
    """States of two bodies that overlap a little."""
    m, d, random = self.reference, self.data, np.random.default_rng(seed)
    found = 0
    while found < count:
      mujoco.mj_resetData(m, d)
      for body in range(1, m.nbody):
        quat = random.normal(size=4)
        d.qpos[7 * body - 4:7 * body] = quat / np.linalg.norm(quat)
      direction = random.normal(size=3)
      direction /= np.linalg.norm(direction)
      if m.nbody == 2:
        direction = np.array([0, 0, 1.0])
      at = np.zeros(3) if m.nbody == 2 else d.qpos[:3].copy()
      depth = random.uniform(0.0005, 0.004)
      # nearer by bisection until the distance is as wanted
      near, far = 0.0, 0.6
      for _ in range(40):
        middle = (near + far) / 2
        d.qpos[-7:-4] = at + middle * direction
        mujoco.mj_kinematics(m, d)
        mujoco.mj_collision(m, d)
        deep = d.ncon and d.contact.dist.min() < -depth
        near, far = (middle, far) if deep else (near, middle)
      d.qvel[:] = random.normal(0, 0.3, m.nv)
      mujoco.mj_forward(m, d)
      if d.ncon:
        found += 1
        yield self.state()

  def exact(self, state, out=None):
    cortenforge.mj_setState(self.model, self.ours, state, SPEC)
    if self.curved:
      nearest.forward(cortenforge, self.model, self.ours)
    return derivatives.transition(self.model, self.ours, out=out, forward=not self.curved)


def pair_of_geoms(name, text):
  """A model of two bodies, prepared for the way in which its geoms meet."""
  pair = Pair.of_text(name, text).converge()
  return pair.iterate() if frozenset(name.split('-')) in ITERATIVE else pair


def find(name, count):
  """A model of the repository or a pair of geoms, and some of its states."""
  for pair_name, text in pairs():
    if name == pair_name:
      pair = pair_of_geoms(name, text)
      return pair, pair.touching(count)
  pair = Pair(name, None).converge()
  return pair, pair.states(count)


class Probe:
  """Steps of the reference from perturbed states, with what tells branches apart."""

  def __init__(self, pair, state, sensors=False):
    self.m, self.d, self.state, self.sensors = pair.reference, pair.data, state, sensors
    m = self.m
    self.plain = m.nq == m.nv
    self.curved, self.features = pair.curved, None
    self.base = self.step(None, 0, 0.0)

  def step(self, part, index, size, number=None):
    """A step with one input changed: of the state, or an element of a field of the model."""
    m, d = self.m, self.d
    if number is not None:
      holder = m.opt if part in ('gravity', 'wind', 'timestep') else m
      field = getattr(holder, part)
      if part == 'timestep':
        m.opt.timestep += size
        found = self.step(None, 0, 0.0)
        m.opt.timestep = field
        return found
      place = number if holder is m.opt else (index if field.ndim == 1 else (index, number))
      before = field[place]
      field[place] += size
      found = self.step(None, 0, 0.0)
      field[place] = before
      return found
    mujoco.mj_setState(m, d, self.state, SPEC)
    if part == 'qpos':
      tangent = np.zeros(m.nv)
      tangent[index] = 1
      mujoco.mj_integratePos(m, d.qpos, tangent, size)
    elif part:
      getattr(d, part)[index] += size
    if self.curved:
      self.features = nearest.forward(mujoco, m, d, self.features)
      mujoco.mj_Euler(m, d)
    else:
      mujoco.mj_step(m, d)
    contact = d.contact
    branch = (d.ncon, contact.geom.tobytes(), d.efc_state[:d.nefc].tobytes(), d.nefc)
    return d.qpos.copy(), d.qvel.copy(), d.act.copy(), branch, d.sensordata.copy()

  def value(self, field, index, number):
    """An element of a field of the model."""
    if field in ('gravity', 'wind', 'timestep'):
      return np.ravel(getattr(self.m.opt, field))[number]
    return np.ravel(getattr(self.m, field)[index])[number]

  def between(self, low, high, size):
    m = self.m
    if self.sensors:
      return (high[4] - low[4]) / size
    if self.plain:
      tangent = (high[0] - low[0]) / size
    else:
      tangent = np.zeros(m.nv)
      mujoco.mj_differentiatePos(m, tangent, size, low[0], high[0])
    return np.concatenate([tangent, (high[1] - low[1]) / size, (high[2] - low[2]) / size])

  def column(self, part, index, number=None):
    """Differences for all steps, their scale, whether the reference is smooth there, and how well it knows
    the derivative by its own account."""
    found, apart, same = [], [], True
    sizes = STEPS
    if number is not None:
      size = max(abs(self.value(part, index, number)), 1e-2)
      sizes = tuple(size * share for share in SHARES)
    for size in sizes:
      high, low = self.step(part, index, size, number), self.step(part, index, -size, number)
      found.append(self.between(low, high, 2 * size))
      apart.append(self.between(self.base, high, size) - self.between(low, self.base, size))
      if size <= sizes[-2]:
        same &= high[3] == low[3] == self.base[3]
    scale = max(np.abs(found[-1]).max(initial=0), 1e-3)
    # both sides differ by jump + c h; steps shrink by ten
    jump = min(np.abs(10 * fine - coarse).max(initial=0) / 9 for coarse, fine in zip(apart, apart[1:]))
    spread = min(np.abs(one - other).max(initial=0) for one, other in zip(found, found[1:]))
    return found, scale, same and jump <= ALL * scale, spread / scale


def columns(m, state_ctrl, eps):
  """All inputs of a step, by part and index; controls that are not inside their range are left out."""
  for part, count in (('qpos', m.nv), ('qvel', m.nv), ('act', m.na), ('ctrl', m.nu)):
    for index in range(count):
      if part == 'ctrl' and m.actuator_ctrllimited[index]:
        low, high = m.actuator_ctrlrange[index]
        if not low + eps < state_ctrl[index] < high - eps:
          continue
      yield part, index


class Errors:
  """What a comparison has found.

  Attributes:
    smooth: errors of columns that the reference knows to 1e-5.
    known: of these, the ones that it knows to 1e-6.
    undetermined: errors of other smooth columns, by what the reference knows them to.
    rough: the number of columns without a derivative.
    approximate: the number of states that were left out since contacts are only approximately known.
    judged: the number of other states.
    worst: the largest error, and where it is.
  """

  def __init__(self):
    self.smooth, self.known, self.undetermined = [], [], []
    self.rough = self.approximate = self.judged = 0
    self.worst = (0.0, '')

  def add(self, error, spread, place):
    if spread > ALL:
      self.undetermined.append(error / spread)
      return
    self.smooth.append(error)
    if spread <= MOST:
      self.known.append(error)
    if not error <= self.worst[0]:
      self.worst = (error, place)

  @property
  def columns(self):
    return len(self.smooth) + len(self.undetermined) + self.rough

  @property
  def most(self):
    return float(np.quantile(self.known or [0.0], SHARE))

  @property
  def good(self):
    share = np.mean(np.array(self.known or [0.0]) <= MOST)
    return share >= SHARE and max(self.smooth, default=0) <= ALL and max(self.undetermined, default=0) <= 1


def compare_exact(pair, states):
  """Errors of all columns."""
  found = Errors()
  m = pair.reference
  out = None
  for number, state in enumerate(states):
    try:
      out = pair.exact(state, out)
    except nearest.Unclear:
      found.approximate += 1
      continue
    matrix = np.hstack([out.A, out.B])
    offset = {'qpos': 0, 'qvel': m.nv, 'act': 2 * m.nv, 'ctrl': 2 * m.nv + m.na}
    if out.smooth.approximate_contacts and not pair.curved:
      found.approximate += 1
      continue
    try:
      probe = Probe(pair, state)
    except nearest.Unclear:
      found.approximate += 1
      continue
    ctrl = pair.data.ctrl.copy()
    found.judged += 1
    for part, index in columns(m, ctrl, 2 * STEPS[0]):
      try:
        differences, scale, smooth, spread = probe.column(part, index)
      except nearest.Unclear:
        smooth = False
      if not smooth:
        found.rough += 1
        continue
      got = matrix[:, offset[part] + index]
      error = min(np.abs(got - want).max() for want in differences) / scale
      found.add(error, spread, f'{part}[{index}] of state {number}')
  return found


def part_exact(args):
  print('exact derivatives against centred differences of MuJoCo\'s step')
  print(f'{"model":46} {"states":>6} {"columns":>8} {"smooth":>7} {"unknown":>7} {"median":>8} {"99 %":>8} {"worst":>8}'
        '  approximate')
  rows, failed = [], []

  def judge(pair, states):
    start = time.perf_counter()
    try:
      found = compare_exact(pair, states)
    except cortenforge.FatalError as error:
      print(f'{pair.name:46} {error}')
      rows.append({'model': pair.name, 'error': str(error)})
      failed.append(pair.name)
      return
    if not found.smooth:
      print(f'{pair.name:46} no column to judge: {found.approximate} states with approximate contacts')
      rows.append({'model': pair.name, 'approximate': found.approximate})
      return
    errors = np.array(found.smooth)
    share, most = len(errors) / found.columns, found.most
    rows.append({'model': pair.name, 'states': found.judged, 'columns': found.columns, 'smooth': share,
                 'undetermined': len(found.undetermined), 'beyond': max(found.undetermined, default=0.0),
                 'median': float(np.median(errors)), 'most': most, 'worst': float(errors.max()),
                 'within': float(np.mean(errors <= MOST)),
                 'place': found.worst[1], 'approximate': found.approximate})
    miss = '' if found.good else f'  MISSES: {found.worst[1]}'
    print(f'{pair.name:46} {found.judged:6} {found.columns:8} {100 * share:6.1f}% {len(found.undetermined):7} '
          f'{np.median(errors):8.1e} {most:8.1e} {errors.max():8.1e}  {found.approximate:3}{miss}'
          + (f'  {time.perf_counter() - start:.0f} s' if args.verbose else ''), flush=True)
    if not found.good:
      failed.append(pair.name)

  for name in args.chosen([*OWN, *(CORPUS if args.corpus else ())]):
    pair = Pair(name, args.corpus).converge()
    judge(pair, pair.states(args.states))
  if not args.only or any('-' in name for name in args.only):
    for name, text in pairs():
      if not args.only or name in args.only:
        pair = pair_of_geoms(name, text)
        judge(pair, pair.touching(args.states))
  return rows, failed


def compare_sensors(pair, states):
  """Errors of smooth columns of C and D, the number of others, and the worst."""
  m, errors, rough, worst = pair.reference, [], 0, (0.0, '')
  result = derivatives.Transition(pair.model, sensors=True)
  offset = {'qpos': 0, 'qvel': m.nv, 'act': 2 * m.nv, 'ctrl': 2 * m.nv + m.na}
  for state in states:
    pair.exact(state, result)
    if result.smooth.approximate_contacts:
      continue
    matrix, probe = np.hstack([result.C, result.D]), Probe(pair, state, sensors=True)
    # readings are rounded
    floor = 1e-3 * np.maximum(np.abs(probe.base[4]), 1)
    for part, index in columns(m, pair.data.ctrl.copy(), 2 * STEPS[0]):
      found, scale, smooth, spread = probe.column(part, index)
      if not smooth or spread > ALL:
        rough += 1
        continue
      column = matrix[:, offset[part] + index]
      difference = np.min([np.abs(column - want) for want in found], axis=0) / np.maximum(scale, floor)
      errors.append(difference.max())
      if not errors[-1] <= worst[0]:
        row = int(difference.argmax())
        sensor = int(np.searchsorted(m.sensor_adr, row, side='right')) - 1
        worst = (errors[-1], f'{part}[{index}] of {mujoco.mjtSensor(m.sensor_type[sensor]).name}')
  return errors, rough, worst


def part_sensors(args):
  print('exact derivatives of sensors against centred differences')
  rows, failed = [], []
  names = ('sensors_frame', 'sensors_inertial', 'sensors_scalar', 'limits', 'joint_force_limits', 'walker') + (
      SENSED if args.corpus else ())
  for name in args.chosen(names):
    pair = Pair(name, args.corpus).converge()
    try:
      errors, rough, worst = compare_sensors(pair, pair.states(max(3, args.states // 10), seed=8))
    except cortenforge.FatalError as error:
      print(f'{name:66} {error}')
      rows.append({'model': name, 'error': str(error)})
      continue
    good = bool(errors) and np.mean(np.array(errors) <= MOST) >= SHARE and max(errors) <= ALL
    rows.append({'model': name, 'columns': len(errors), 'worst': max(errors, default=0.0)})
    print(f'{name:66} {len(errors):6} columns, {rough} rough, 99 % {np.quantile(errors or [0], SHARE):8.1e}, '
          f'worst {max(errors, default=0):8.1e}{"" if good else "  MISSES at " + worst[1]}', flush=True)
    if not good:
      failed.append(name)
  return rows, failed


def part_differences(args):
  print('finite differences against those of MuJoCo: largest relative difference, and that of MuJoCo to itself '
        'from a state that differs by rounding')
  rows, failed = [], []
  for name in args.chosen(DIFFERENCED if args.corpus else OWN[:20]):
    pair = Pair(name, args.corpus)
    m, worst, noise, random = pair.reference, (0.0, ''), (0.0, ''), np.random.default_rng(2)
    if m.opt.integrator == 1:
      m.opt.integrator = pair.model.opt.integrator = 0
    engines = ((mujoco, m, pair.data), (cortenforge, pair.model, pair.ours))
    for state in pair.states(3, seed=1):
      rounded = state.copy()
      rounded[1:1 + m.nq] *= 1 + 2e-16 * random.choice([-1, 0, 1], m.nq)
      for centred in (0, 1):
        want, got = (transition_differences(*engine, state, centred) for engine in engines)
        again = transition_differences(*engines[0], rounded, centred)
        if centred:
          want[3], again[3] = corrected(m, pair.data, want[3]), corrected(m, pair.data, again[3])
        for label, *matrices in zip('ABCD', want, got, again):
          worst, noise = take(worst, noise, f'{label}{" centred" if centred else ""}', *matrices)
      for actuation in (0, 1):
        want, got = (inverse_differences(*engine, state, actuation) for engine in engines)
        if want is not None:
          again = inverse_differences(*engines[0], rounded, actuation)
          for label, *matrices in zip(('DfDq', 'DfDv', 'DfDa', 'DsDq', 'DsDv', 'DsDa', 'DmDq'), want, got, again):
            worst, noise = take(worst, noise, label, *matrices)
    good = worst[0] <= max(1e-9, 10 * noise[0])
    print(f'{name:66} {worst[0]:8.1e} {noise[0]:8.1e} {"" if good else "  MISSES at " + worst[1]}', flush=True)
    rows.append({'model': name, 'worst': worst[0], 'noise': noise[0]})
    if not good:
      failed.append(name)
  return rows, failed


def take(worst, noise, label, want, got, again):
  """The larger of what was seen and what two matrices show, for our differences and for rounding."""
  if not want.size:
    return worst, noise
  scale = max(np.abs(want).max(), 1.0)
  error, rounding = np.abs(got - want).max() / scale, np.abs(again - want).max() / scale
  return max(worst, (error, label)), max(noise, (rounding, label))


def corrected(m, d, matrix):
  """The matrix D of the reference in centred mode with the sign it should have."""
  low, high = m.actuator_ctrlrange.T
  free = (m.actuator_ctrllimited == 0) | (d.ctrl - EPS >= low) & (d.ctrl + EPS <= high)
  matrix = matrix.copy()
  matrix[:, free] *= -1
  return matrix


EPS = 1e-4


def transition_differences(engine, model, data, state, centred):
  engine.mj_setState(model, data, state, SPEC)
  n, nu, ns = 2 * model.nv + model.na, model.nu, model.nsensordata
  matrices = [np.zeros(shape) for shape in ((n, n), (n, nu), (ns, n), (ns, nu))]
  engine.mjd_transitionFD(model, data, EPS, centred, *matrices)
  return matrices


def inverse_differences(engine, model, data, state, actuation):
  engine.mj_setState(model, data, state, SPEC)
  engine.mj_forward(model, data)
  nv, ns = model.nv, model.nsensordata
  matrices = [np.zeros((nv, n)) for n in (nv, nv, nv, ns, ns, ns, model.nM)]
  try:
    engine.mjd_inverseFD(model, data, EPS, actuation, *matrices)
  except (mujoco.FatalError, cortenforge.FatalError):
    return None
  return matrices


def part_products(args):
  print('ten steps in a row against differences of rollouts; vjp and jvp against A and B, and how far Aᵀ λ itself '
        'moves from a state that differs by rounding')
  rows, failed = [], []
  names = ('figure:contacts', 'figure:contacts:elliptic', 'figure:contacts:implicitfast', 'figure:contacts:implicit',
           'figure:contacts:rk4', 'mixed_joints', 'muscle', 'equality_bodies',
           'contact_elliptic', 'servos', 'chain_30') + (
      CORPUS[:10] if args.corpus else ())
  for name in args.chosen(names):
    pair = Pair(name, args.corpus).converge()
    m, ours, model = pair.reference, pair.ours, pair.model
    n, chain_error, product_error, noise = 2 * m.nv + m.na, [], 0.0, 0.0
    random = np.random.default_rng(2)
    for state in pair.states(max(3, args.states // 20), seed=3):
      # products with vectors
      rounded = state.copy()
      rounded[1:1 + m.nq + m.nv] *= 1 + 2e-16 * random.choice([-1, 0, 1], m.nq + m.nv)
      result = pair.exact(rounded)
      nearby = np.hstack([result.A, result.B])
      result = pair.exact(state, result)
      for _ in range(3):
        weight, along = random.normal(size=n), random.normal(size=n + m.nu)
        gradient = derivatives.vjp(model, ours, **split(m, weight, ('qpos', 'qvel', 'act')))
        got = np.concatenate([gradient.qpos, gradient.qvel, gradient.act, gradient.ctrl])
        both = np.hstack([result.A, result.B])
        # relative to the largest sum of what is added up
        scale = max(1, (np.abs(both).T @ np.abs(weight)).max())
        product_error = max(product_error, np.abs(got - both.T @ weight).max() / scale)
        noise = max(noise, np.abs((nearby - both).T @ weight).max() / scale)
        got = derivatives.jvp(model, ours, **split(m, along, ('qpos', 'qvel', 'act', 'ctrl')))
        want = result.A @ along[:n] + result.B @ along[n:]
        product_error = max(product_error, np.abs(got - want).max() / max(1, np.abs(want).max()))
      # ten steps
      if result.smooth.approximate_contacts:
        continue
      cortenforge.mj_setState(model, ours, state, SPEC)
      chain = np.eye(n)
      approximate = 0
      for _ in range(10):
        result = derivatives.transition(model, ours)
        approximate += result.smooth.approximate_contacts
        chain = result.A @ chain
        cortenforge.mj_step(model, ours)
      if approximate:
        continue
      direction = random.normal(size=n)
      direction /= np.linalg.norm(direction)
      found = [rollout_difference(pair, state, direction, eps) for eps in STEPS]
      if all(smooth for _, smooth in found):
        want = chain @ direction
        chain_error.append(min(np.abs(want - f).max() for f, _ in found) / max(1e-3, np.abs(want).max()))
    worst = max(chain_error, default=np.nan)
    good = not worst > 1e-5 and product_error <= max(1e-12, 3 * noise)
    print(f'{name:46} chain {worst:8.1e} ({len(chain_error)} smooth)  products {product_error:8.1e} {noise:8.1e}'
          f'{"" if good else "  MISSES"}', flush=True)
    rows.append({'model': name, 'chain': worst, 'products': product_error, 'noise': noise})
    if not good:
      failed.append(name)
  return rows, failed


# what to differentiate by, and models that have it; the share of the smallest change
PARAMETERS = (
    ('figure:contacts', 'body_mass body_ipos body_inertia dof_armature dof_damping jnt_stiffness geom_friction geom_size '
               'geom_pos geom_solref geom_solimp actuator_gainprm actuator_gear gravity timestep jnt_solref jnt_solimp'),
    ('figure:contacts:elliptic', 'geom_friction geom_size geom_pos geom_solref geom_solimp body_mass timestep'),
    ('figure:contacts:implicit', 'body_mass body_ipos body_inertia dof_armature dof_damping timestep geom_friction'),
    ('figure:contacts:implicitfast', 'body_mass dof_armature dof_damping timestep gravity'),
    ('figure:contacts:rk4', 'body_mass dof_damping geom_friction gravity geom_size'),
    ('mixed_joints', 'body_mass body_ipos body_inertia dof_armature dof_damping jnt_stiffness gravity timestep'),
    ('friction_loss', 'dof_frictionloss tendon_frictionloss dof_solref dof_solimp dof_damping timestep'),
    ('tendon_springs', 'tendon_stiffness tendon_damping body_mass'),
    ('equality_bodies', 'eq_solref eq_solimp body_mass body_ipos'),
    ('equality_scalars', 'eq_solref eq_solimp'),
    ('limits', 'jnt_solref jnt_solimp tendon_solref_lim tendon_solimp_lim'),
    ('general_actuators', 'actuator_gainprm actuator_biasprm actuator_gear timestep'),
    ('servos', 'actuator_gainprm actuator_biasprm actuator_gear dof_damping timestep'),
    ('implicit_clamped', 'actuator_gainprm actuator_biasprm actuator_gear dof_damping timestep'),
    ('transmission_site', 'actuator_gear actuator_gainprm'),
    ('transmission_joint', 'actuator_gear actuator_gainprm'),
    ('actearly', 'timestep actuator_gainprm actuator_gear'),
    ('muscle', 'timestep body_mass tendon_stiffness'),
    ('contact_elliptic', 'geom_friction geom_size geom_pos geom_solref geom_solimp gravity'),
    ('contact_pyramids', 'geom_friction geom_size geom_pos geom_solref geom_solimp timestep'),
    ('contact_pairs', 'geom_size geom_pos geom_friction'),
    ('fluid_box_wind', 'wind gravity dof_damping'),
    ('fluid_ellipsoid', 'wind gravity timestep'),
    ('gravcomp', 'body_mass body_ipos gravity'),
    ('applied_forces', 'body_mass body_ipos'),
    ('mujoco/model/humanoid/humanoid.xml', 'body_mass body_ipos body_inertia dof_armature dof_damping geom_friction '
                                           'geom_size actuator_gear'),
    ('menagerie/agility_cassie/scene.xml', 'dof_armature dof_damping jnt_stiffness eq_solref body_mass'),
    ('menagerie/booster_t1/scene.xml', 'dof_armature dof_damping dof_frictionloss actuator_gainprm actuator_biasprm'),
    ('menagerie/shadow_hand/scene_right.xml', 'dof_armature dof_damping dof_frictionloss actuator_gainprm '
                                              'actuator_biasprm tendon_stiffness geom_friction'),
)


def compare_parameters(pair, states, fields, most=40):
  """Errors of columns, and the difference of the vector product."""
  m, random = pair.reference, np.random.default_rng(6)
  result, product = derivatives.Transition(pair.model, fields), derivatives.Vjp(pair.model, fields)
  found, product_error = Errors(), 0.0
  for state in states:
    pair.exact(state, result)
    weight = random.normal(size=2 * m.nv + m.na)
    gradient = product(pair.ours, **split(m, weight, ('qpos', 'qvel', 'act'))).parameters
    difference = np.abs(gradient - result.P.T @ weight).max(initial=0)
    product_error = max(product_error, difference / max(1, np.abs(gradient).max(initial=0)))
    if result.smooth.approximate_contacts:
      found.approximate += 1
      continue
    probe = Probe(pair, state)
    edited = [at for at, name in enumerate(result.names) if not precomputed(m, *name)]
    for at in random.permutation(edited)[:most]:
      differences, scale, smooth, spread = probe.column(*result.names[at][:2], number=result.names[at][2])
      if smooth:
        error = min(np.abs(result.P[:, at] - want).max() for want in differences) / scale
        found.add(error, spread, result.names[at])
      else:
        found.rough += 1
  return found, product_error


def precomputed(m, field, index, number):
  """Whether the inertia that a parameter belongs to is one of a simple body, which compilation computes."""
  if field == 'dof_armature':
    return m.dof_simplenum[index] > 0
  return field in ('body_mass', 'body_ipos', 'body_inertia') and m.body_simple[index] > 0


def part_parameters(args):
  print('derivatives by parameters against steps of MuJoCo with the field edited, by field')
  rows, failed, totals = [], [], {}
  for name, fields in PARAMETERS:
    if name not in args.chosen([name]) or name.endswith('.xml') and not args.corpus:
      continue
    pair = Pair(name, args.corpus).converge()
    for m in (pair.reference, pair.model):
      # frames that coincide are copied and not computed, and the edit would have no effect
      m.geom_sameframe[:] = m.body_sameframe[:] = 0
      # steps to either side of no damping at all are of two kinds
      m.dof_damping[:] = np.maximum(m.dof_damping, 0.01)
    states = list(pair.states(max(2, args.states // 20), seed=7))
    for field in fields.split():
      try:
        found, product_error = compare_parameters(pair, states, [field])
      except cortenforge.FatalError as error:
        print(f'{name:40} {field:20} {error}')
        failed.append(f'{name} {field}')
        continue
      errors, worst = found.smooth, found.worst
      totals.setdefault(field, []).extend(errors)
      good = found.good and product_error <= 1e-11
      rows.append({'model': name, 'field': field, 'columns': len(errors), 'worst': worst[0]})
      if not good or args.verbose:
        print(f'{name:40} {field:20} {len(errors):5} columns, worst {worst[0]:8.1e} {worst[1]}, vjp {product_error:.0e}'
              f'{"" if good else "  MISSES"}', flush=True)
      if not good:
        failed.append(f'{name} {field}')
  for field, errors in totals.items():
    if errors:
      print(f'{field:24} {len(errors):6} columns, median {np.median(errors):8.1e}, 99 % {np.quantile(errors, SHARE):8.1e}, '
            f'worst {max(errors):8.1e}')
  return rows, failed


def split(m, vector, parts):
  ends = np.cumsum([m.nv, m.nv, m.na, m.nu])[:len(parts) - 1]
  return dict(zip(parts, np.split(vector, ends)))


def rollout_difference(pair, state, direction, eps):
  m, d = pair.reference, pair.data
  ends, branches = [], []
  for sign in (1, -1):
    mujoco.mj_setState(m, d, state, SPEC)
    parts = split(m, direction, ('qpos', 'qvel', 'act'))
    mujoco.mj_integratePos(m, d.qpos, parts['qpos'], sign * eps)
    d.qvel[:] += sign * eps * parts['qvel']
    d.act[:] += sign * eps * parts['act']
    seen = []
    for _ in range(10):
      mujoco.mj_step(m, d)
      seen.append((d.ncon, d.contact.geom.tobytes(), d.efc_state[:d.nefc].tobytes()))
    ends.append((d.qpos.copy(), d.qvel.copy(), d.act.copy()))
    branches.append(seen)
  tangent = np.zeros(m.nv)
  mujoco.mj_differentiatePos(m, tangent, 2 * eps, ends[1][0], ends[0][0])
  rest = [(a - b) / (2 * eps) for a, b in zip(ends[0][1:], ends[1][1:])]
  return np.concatenate([tangent, *rest]), branches[0] == branches[1]


def part_cost(args):
  print('CPU time of one linearisation beside mjd_transitionFD of MuJoCo, one-sided, same states')
  print(f'{"model":46} {"differences":>11} {"exact":>9} {"ratio":>7} {"bar":>4} {"vjp":>8} {"own step":>9}')
  rows, failed = [], []
  for name, bar in COSTS:
    if args.only and not any(part in name for part in args.only):
      continue
    pair = Pair(name, args.corpus)
    if pair.reference.opt.integrator == 1:  # has no differences
      pair.reference.opt.integrator = pair.model.opt.integrator = 0
    times, names = [], ('differences', 'exact', 'vjp', 'step')
    for state in pair.states(5, seed=5):
      times.append(time_all(pair, state))
    least = dict(zip(names, np.mean(times, axis=0)))
    ratio = least['differences'] / least['exact']
    good = ratio >= bar and least['vjp'] <= least['step']
    print(f'{name:46} {1e6 * least["differences"]:8.0f} us {1e6 * least["exact"]:6.1f} us {ratio:6.1f}x {bar:3}x '
          f'{1e6 * least["vjp"]:5.1f} us {1e6 * least["step"]:6.1f} us{"" if good else "  MISSES"}', flush=True)
    rows.append({'model': name, 'ratio': ratio, 'bar': bar, **least})
    if not good:
      failed.append(name)
  return rows, failed


def time_all(pair, state):
  """Least times of both kinds of derivatives, the gradient and a step of our own, interleaved."""
  m, d, model, ours = pair.reference, pair.data, pair.model, pair.ours
  n = 2 * m.nv + m.na
  A, B = np.zeros((n, n)), np.zeros((n, m.nu))
  result = pair.exact(state)
  weights = split(m, np.ones(n), ('qpos', 'qvel', 'act'))
  prepared = derivatives.Vjp(model) if hasattr(derivatives, 'Vjp') else None

  def differences():
    mujoco.mjd_transitionFD(m, d, 1e-6, 0, A, B, None, None)

  def exact():
    derivatives.transition(model, ours, out=result, forward=False)

  def vjp():
    if prepared:
      prepared(ours, **weights, forward=False)
    else:
      derivatives.vjp(model, ours, **weights, forward=False)

  def step():
    cortenforge.mj_step(model, ours)

  least = np.full(4, np.inf)
  for _ in range(15):
    mujoco.mj_setState(m, d, state, SPEC)
    mujoco.mj_forward(m, d)
    for number, (call, repeats) in enumerate(((differences, 1), (exact, 5), (vjp, 5), (step, 1))):
      for _ in range(repeats):
        if number:
          cortenforge.mj_setState(model, ours, state, SPEC)
          cortenforge.mj_forward(model, ours)
        start = time.process_time_ns()
        call()
        least[number] = min(least[number], 1e-9 * (time.process_time_ns() - start))
  return least


PARTS = {'differences': part_differences, 'exact': part_exact, 'products': part_products,
         'parameters': part_parameters, 'sensors': part_sensors, 'cost': part_cost}


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('corpus', nargs='?', help='a directory of models of others')
  parser.add_argument('--part', choices=PARTS, nargs='+', default=list(PARTS))
  parser.add_argument('--states', type=int, default=100)
  parser.add_argument('--only', nargs='+')
  parser.add_argument('--json')
  parser.add_argument('--verbose', action='store_true')
  args = parser.parse_args()
  args.chosen = lambda names: [name for name in names
                               if not args.only or any(part in name for part in args.only)]
  results, failures = {}, []
  for part in args.part:
    if part == 'cost' and not args.corpus:
      continue
    results[part], failed = PARTS[part](args)
    failures += [f'{part}: {name}' for name in failed]
    print()
  if args.json:
    pathlib.Path(args.json).write_text(json.dumps(results, indent=1))
  print('all bars hold' if not failures else f'{len(failures)} miss: ' + ', '.join(failures))
  sys.exit(bool(failures))


if __name__ == '__main__':
  main()

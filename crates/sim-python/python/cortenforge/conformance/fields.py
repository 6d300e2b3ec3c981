"""What of MuJoCo's data another engine can be compared with, and what it cannot, and why.

This is the only place where fields are left out of comparisons.
"""

import mujoco
import numpy as np
from mujoco.introspect import structs

NEWTON, PGS = mujoco.mjtSolver.mjSOL_NEWTON, mujoco.mjtSolver.mjSOL_PGS
CONE = mujoco.mjtConstraintState.mjCNSTRSTATE_CONE
NISLAND, NSOLVER = mujoco.mjNISLAND, mujoco.mjNSOLVER

# sizes and members of the model
MODEL_LEFT_OUT = {
    'buffer': 'memory', 'nbuffer': 'memory', 'narena': 'memory', 'signature': 'hash of the sizes',
    'njmax': 'limit of an older scheme of memory', 'nconmax': 'limit of an older scheme of memory',
}

# members of the data that are always left out
DATA_LEFT_OUT = {
    **dict.fromkeys(('narena', 'nbuffer', 'pstack', 'pbase', 'parena', 'maxuse_stack',
                     'maxuse_arena', 'maxuse_threadstack', 'buffer', 'arena', 'threadpool',
                     'signature', 'plugin_data', 'nplugin'), 'memory'),
    'timer': 'the clock',
    **dict.fromkeys(('moment_rownnz', 'moment_rowadr', 'moment_colind', 'actuator_moment'),
                    'compared as a dense matrix: which entries are rounding noise of a zero, and '
                    'what is left behind compressed rows, are accidents'),
}

# fields that are sometimes left out: when, and what is there then
CONDITIONAL = {
    'island arrays': 'without islands: unused memory',
    'tendon_efcadr': 'with constraints disabled: unused memory',
    'efc_J_rownnz, _rowadr, _colind, _rowsuper and those of iefc_J, efc_AR':
        'dense: unused memory; ours are empty',
    'efc_AR_rownnz, _rowadr, _colind': 'solvers without the dual matrix: unused memory',
    'ifrc_smooth, iacc_smooth, iacc, ifrc_constraint, iefc_aref, iefc_state, iefc_force':
        'not solved by island: unused memory',
    'efc_state': 'solved by island: left over from the choice of a start; iefc_state has it',
    'efc_state, solver.nactive, solver.nchange':
        'dual solvers with elliptic cones: forces are put on the surface of the cone, and on which '
        'side of it they are is decided by rounding',
    'solver_nnz': "sparse Newton: the reference's factor, ours has another order of elimination; "
                  'islands of earlier steps: left over',
    'solver': 'iterations that were not made: left over',
    'contact.H': 'other contacts than those on the surface of their cone after Newton: left over from '
                 'iterations, ours are zero; with noslip: the states have changed since',
    'nJ and the ends of efc_J, iefc_J':
        'dense: the reference has memory for rows that it leaves out because no dof moves them',
    'nA, nJ, nidof, efc_AR': 'rows dropped for lack of memory: left over from before',
    'tails of iM, iLD, iM_colind, dense iefc_J': 'beyond the islands: unused memory; ours are zero',
}

SPARSE = ('_rownnz', '_rowadr', '_colind', '_rowsuper')
SOLVED = {'ifrc_smooth', 'iacc_smooth', 'iacc', 'ifrc_constraint', 'iefc_aref', 'iefc_state',
          'iefc_force'}
ISLAND = {f for f in (f.name for f in structs.STRUCTS['mjData'].fields)
          if f.startswith(('island_', 'map_', 'iM', 'iLD', 'iefc_', 'ifrc_', 'iacc'))
          } | {'tree_island', 'dof_island', 'efc_island'}

# numbers of an iteration of the solver
STATISTICS = ('improvement', 'gradient', 'lineslope', 'nactive', 'nchange', 'neval', 'nupdate')


def members(struct):
  return [field.name for field in structs.STRUCTS[struct].fields]


def by_island(model, data):
  """Whether the solver went island by island."""
  return data.nisland > 0 and not mujoco.mj_isDual(model)


def on_the_edge(model):
  """Whether the solver puts forces on the surface of cones, and then asks on which side they are."""
  return mujoco.mj_isDual(model) and model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC


def solved_islands(model, data):
  """How many islands have statistics of the solver."""
  if not data.nefc:
    return 0
  return min(data.nisland, NISLAND) if by_island(model, data) else 1


def rows_were_dropped(data):
  """Whether there was not enough memory for constraint rows."""
  return not data.nefc and data.warning[mujoco.mjtWarning.mjWARN_CNSTRFULL].number > 0


def moment(model, data):
  """The matrix of actuator moments, dense; of any engine."""
  dense = np.zeros((model.nu, model.nv))
  rows = zip(np.asarray(data.moment_rowadr), np.asarray(data.moment_rownnz))
  for i, (start, count) in enumerate(rows):
    row = slice(start, start + count)
    dense[i, np.asarray(data.moment_colind)[row]] = np.asarray(data.actuator_moment)[row]
  return dense


def statistics(model, reference, data):
  """What the solver noted, of any engine: a matrix with a row for each iteration that the reference
  made, by number."""
  rows = [island * NSOLVER + i for island in range(solved_islands(model, reference))
          for i in range(min(int(reference.solver_niter[island]), NSOLVER))]
  stats = [data.solver[row] for row in rows]
  return {name: np.array([getattr(stat, name) for stat in stats],
                         'i4' if name.startswith('n') else 'f8') for name in STATISTICS
          if not (on_the_edge(model) and name in ('nactive', 'nchange'))}


def cone_hessians(model, data):
  """The Hessians of cones that Newton's method ends on the surface of; zero for other contacts.
  None: another pass has changed the states."""
  if mujoco.mj_isDual(model) and model.opt.solver != PGS:
    return None
  hessians = np.array(data.contact.H)
  state = data.efc_state
  if by_island(model, data):
    state = data.iefc_state[data.map_efc2iefc]
  for i, address in enumerate(data.contact.efc_address):
    if model.opt.solver != NEWTON or address < 0 or state[address] != CONE:
      hessians[i] = 0
  return hessians


def used(model, data, name):
  """The value of a field of the reference; unused memory is zero or cut off, as it is in ours.
  None: there is nothing to compare."""
  value = getattr(data, name)
  sparse = mujoco.mj_isSparse(model)
  if name in ISLAND and not data.nisland:
    return np.array(value)[:0]
  if name in ('nA', 'nJ', 'nidof', 'efc_AR') and rows_were_dropped(data):
    return np.array(value)[:0] if name == 'efc_AR' else np.int64(0)
  if name == 'tendon_efcadr' and model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONSTRAINT:
    return np.array(value)[:0]
  if name.endswith(SPARSE) and name.startswith(('efc_', 'iefc_')):
    dual = mujoco.mj_isDual(model) or not name.startswith('efc_AR')
    return np.array(value) if sparse and dual else np.array(value)[:0]
  if name in ('nJ', 'efc_J', 'iefc_J') and not sparse:
    count = data.nefc * model.nv
    if name == 'nJ':
      return np.int64(count)
    value = np.array(value)[:count]
    if name == 'efc_J':
      return value
  if name in SOLVED:
    return np.array(value) if by_island(model, data) else None
  if name == 'efc_state':
    return None if by_island(model, data) or on_the_edge(model) else np.array(value)
  if name == 'solver_nnz':
    value = np.array(value)
    value[solved_islands(model, data):] = 0
    return None if sparse and model.opt.solver == NEWTON else value
  if name in ('iM', 'iLD', 'iM_colind') and data.nidof:
    value = np.array(value)
    value[data.iM_rowadr[data.nidof - 1] + data.iM_rownnz[data.nidof - 1]:] = 0
    return value
  if name == 'iefc_J' and not sparse:
    zeroed = np.zeros_like(value)
    for island in range(data.nisland):
      start = data.nidof * data.island_iefcadr[island]
      block = slice(start, start + data.island_nefc[island] * data.island_nv[island])
      zeroed[block] = value[block]
    return zeroed
  if name.startswith('flg_'):
    return np.uint8(value)
  if isinstance(value, int):
    return np.int64(value)
  return np.array(value)


def data_fields(model, data):
  """Every field of the reference's data that another engine can be compared with: name and value.
  Contacts and statistics of the solver are not among them."""
  for name in members('mjData'):
    if name in DATA_LEFT_OUT or name in ('solver', 'warning', 'contact'):
      continue
    value = used(model, data, name)
    if value is not None:
      yield name, value


def contact_fields(model, data):
  """Every field of the reference's contacts that another engine can be compared with."""
  for name in members('mjContact'):
    if name == 'H':
      hessians = cone_hessians(model, data)
      if hessians is not None:
        yield name, hessians
    elif hasattr(data.contact, name):
      yield name, np.array(getattr(data.contact, name))

// Steps models with MuJoCo for the benchmark; see examples/engine.rs, which takes the same commands.
// PLUGINS is the folder of the plugins that come with MuJoCo.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static mjModel* model;
static mjData* data;
static double* states;
static long rows;

static const int STATE = mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT | mjSTATE_WARMSTART | mjSTATE_CTRL |
                         mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT;

static long row_size(void) {
  return mj_stateSize(model, STATE);
}

static void load(const char* path) {
  char error[1000] = "cannot be loaded";
  mj_deleteData(data);
  mj_deleteModel(model);
  data = NULL;
  rows = 0;
  model = mj_loadXML(path, NULL, error, sizeof error);
  data = model ? mj_makeData(model) : NULL;
  if (!data) {
    error[strcspn(error, "\n")] = 0;
    puts(error);
    return;
  }
  model->vis.global.bvactive = 0;  // of no use without a window
  puts("ok");
}

static void read_states(const char* path) {
  rows = 0;
  FILE* file = fopen(path, "rb");
  if (!file) {
    puts("cannot be opened");
    return;
  }
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file), row = row_size() * (long)sizeof(double);
  rewind(file);
  states = realloc(states, bytes);
  int good = row > 0 && bytes % row == 0 && states && fread(states, 1, bytes, file) == (size_t)bytes;
  fclose(file);
  if (!good) {
    printf("%ld bytes are no rows of %ld\n", bytes, row);
    return;
  }
  rows = bytes / row;
  printf("%ld\n", rows);
}

static void set_state(long row) {
  mj_resetData(model, data);
  mj_setState(model, data, states + row * row_size(), STATE);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void run(long row, long steps) {
  set_state(row);
  double start = cpu_seconds();
  for (long i = 0; i < steps; i++) mj_step(model, data);
  double elapsed = cpu_seconds() - start;
  for (int i = 0; i < mjNWARNING; i++) {
    if (data->warning[i].number) {
      puts("inf");
      return;
    }
  }
  printf("%.9e\n", elapsed);
}

int main(void) {
  static char line[4096];
  long row, steps;
  mj_loadAllPluginLibraries(PLUGINS, NULL);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "version")) {
      puts(mj_versionString());
    } else if (!strncmp(line, "load ", 5)) {
      load(line + 5);
    } else if (data && !strncmp(line, "states ", 7)) {
      read_states(line + 7);
    } else if (data && sscanf(line, "run %ld %ld", &row, &steps) == 2 && row >= 0 && row < rows) {
      run(row, steps);
    } else {
      printf("unknown command, or no model: %s\n", line);
    }
    fflush(stdout);
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  free(states);
  return 0;
}

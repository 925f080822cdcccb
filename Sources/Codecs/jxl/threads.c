#include "threads.h"

#include <glib.h>

enum { PH_MOST_THREADS = 64 };

typedef struct {
  void *work;
  JxlParallelRunFunction run;
  gint next;
  gint end;
} PhJxlTask;

typedef struct {
  PhJxlTask *task;
  size_t number;
} PhJxlThread;

static void *run_thread(void *a) {
  const PhJxlThread *thread = a;
  PhJxlTask *task = thread->task;
  for (;;) {
    gint value = g_atomic_int_add(&task->next, 1);
    if (value >= task->end) return NULL;
    task->run(task->work, (uint32_t)value, thread->number);
  }
}

JxlParallelRetCode ph_jxl_run(void *threads, void *work, JxlParallelRunInit init,
                              JxlParallelRunFunction run, uint32_t begin, uint32_t end) {
  if (begin >= end) return 0;
  int most = MIN(*(const int *)threads, PH_MOST_THREADS);
  int count = (int)MIN(end - begin, (uint32_t)MAX(most, 1));
  JxlParallelRetCode status = init(work, (size_t)count);
  if (status) return status;
  PhJxlTask task = {work, run, (gint)begin, (gint)end};
  PhJxlThread each[PH_MOST_THREADS];
  GThread *started[PH_MOST_THREADS];
  // If a thread cannot be started, the others do its work.
  for (int i = 0; i < count; i++) {
    each[i] = (PhJxlThread){&task, (size_t)i};
    started[i] = i ? g_thread_try_new("jxl", run_thread, &each[i], NULL) : NULL;
  }
  run_thread(&each[0]);
  for (int i = 1; i < count; i++)
    if (started[i]) g_thread_join(started[i]);
  return 0;
}

#include "system_calls.h"

#include <pthread.h>
#include <sys/stat.h>

// The files to which a write failed, each with the last error; those without an error are free.
static struct failure {
  dev_t device;
  ino_t number;
  int error;
} failures[64];
static unsigned next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The entry of a file; NULL if there is none.
static struct failure *find(const struct stat *status) {
  for (unsigned i = 0; i < sizeof failures / sizeof *failures; i++)
    if (failures[i].error && failures[i].device == status->st_dev &&
        failures[i].number == status->st_ino)
      return &failures[i];
  return NULL;
}

void phbatch_note_write_error(int file, int error) {
  struct stat status;
  if (fstat(file, &status) != 0) return;
  pthread_mutex_lock(&lock);
  struct failure *entry = find(&status);
  // Replaces the oldest entry.
  if (!entry) entry = &failures[next++ % (sizeof failures / sizeof *failures)];
  *entry = (struct failure){status.st_dev, status.st_ino, error};
  pthread_mutex_unlock(&lock);
}

int phbatch_take_write_error(int file) {
  struct stat status;
  if (fstat(file, &status) != 0) return 0;
  pthread_mutex_lock(&lock);
  struct failure *entry = find(&status);
  const int error = entry ? entry->error : 0;
  if (entry) entry->error = 0;
  pthread_mutex_unlock(&lock);
  return error;
}

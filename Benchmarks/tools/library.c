// Fills a folder with a library of many photos, each with a rendition and a sidecar, in subfolders.
//
// The photos are names of one original, and the renditions names of one rendition, so that millions
// of them need few inodes; a file system allows some ten thousand names for a file, so there is a
// new copy for every LIMIT names. Each sidecar is a file of its own, or, with `linked`, a name of
// one sidecar for each photo of a folder: all folders then have the same names.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 60000, PROCESSES = 2, ROOM = 1 << 16 };

struct text {
  char bytes[ROOM];
  size_t length;
};

static void fail(const char *path) {
  perror(path);
  exit(1);
}

static void load(const char *path, struct text *text) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text->bytes, ROOM);
  if (length < 0 || length == ROOM) fail(path);
  text->length = (size_t)length;
  close(file);
}

static void save(const char *path, const struct text *text) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || write(file, text->bytes, text->length) != (ssize_t)text->length) fail(path);
  close(file);
}

// A file that gets many names; its copies are hidden files in the library, removed at the end.
struct shared {
  const struct text *text;
  char first[64];
  unsigned long names;
};

static void name(struct shared *file, const char *path) {
  if (file->names % LIMIT == 0) {
    unlink(file->first);
    save(file->first, file->text);
  }
  file->names++;
  if (link(file->first, path) != 0) fail(path);
}

// Writes the sidecar with the stem in place of `a` in the names of its files.
static void adapt(const struct text *sidecar, const char *stem, struct text *adapted) {
  size_t stem_length = strlen(stem);
  adapted->length = 0;
  for (size_t at = 0; at < sidecar->length;) {
    const char *rest = sidecar->bytes + at;
    const char *found = memmem(rest, sidecar->length - at, "\"a.", 3);
    size_t before = found ? (size_t)(found - rest) + 1 : sidecar->length - at;
    if (adapted->length + before + stem_length > ROOM) exit(1);
    memcpy(adapted->bytes + adapted->length, rest, before);
    adapted->length += before;
    at += before;
    if (!found) break;
    memcpy(adapted->bytes + adapted->length, stem, stem_length);
    adapted->length += stem_length;
    at++;
  }
}

int main(int count, char **arguments) {
  if (count != 7 && count != 8) {
    fprintf(stderr, "usage: library FOLDER PHOTOS IN_FOLDER ORIGINAL RENDITION SIDECAR [linked]\n");
    return 2;
  }
  unsigned long photos = strtoul(arguments[2], NULL, 10);
  unsigned long in_folder = strtoul(arguments[3], NULL, 10);
  int linked = count == 8;
  static struct text original, rendition, sidecar, adapted;
  load(arguments[4], &original);
  load(arguments[5], &rendition);
  load(arguments[6], &sidecar);
  if (mkdir(arguments[1], 0755) != 0 || chdir(arguments[1]) != 0) fail(arguments[1]);
  unsigned long folders = (photos + in_folder - 1) / in_folder;
  for (int process = 0; process < PROCESSES; process++) {
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child > 0) continue;
    struct shared first = {.text = &original}, second = {.text = &rendition};
    sprintf(first.first, ".original-%d", process);
    sprintf(second.first, ".rendition-%d", process);
    for (unsigned long folder = (unsigned long)process; folder < folders; folder += PROCESSES) {
      char path[128], stem[32], earlier[128];
      sprintf(path, "%06lu", folder);
      if (mkdir(path, 0755) != 0) fail(path);
      for (unsigned long index = 0; index < in_folder; index++) {
        unsigned long number = folder * in_folder + index;
        if (number >= photos) break;
        sprintf(stem, "IMG_%08lu", linked ? index : number);
        sprintf(path, "%06lu/%s.jpg", folder, stem);
        name(&first, path);
        sprintf(path, "%06lu/%s.web.jpg", folder, stem);
        name(&second, path);
        sprintf(path, "%06lu/%s.jpg.phbatch.json", folder, stem);
        unsigned long turn = folder / PROCESSES;
        sprintf(earlier, "%06lu/%s.jpg.phbatch.json",
                folder - turn % LIMIT * PROCESSES, stem);
        if (linked && turn % LIMIT > 0) {
          if (link(earlier, path) != 0) fail(path);
        } else {
          adapt(&sidecar, stem, &adapted);
          save(path, &adapted);
        }
      }
    }
    unlink(first.first);
    unlink(second.first);
    _exit(0);
  }
  int failures = 0, status;
  while (wait(&status) > 0) failures += status != 0;
  return failures > 0;
}

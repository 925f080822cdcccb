#include "archive.h"

#include <libdeflate.h>
#include <string.h>

struct PhArchive {
  VipsTarget *target;
  /// The number of bytes written so far.
  guint64 offset;
  guint64 files;
  /// The archive's directory, which is written after all files.
  GByteArray *directory;
};

/// A record of the archive: consecutive integers in little-endian order.
typedef struct {
  guchar bytes[64];
  guint count;
} PhRecord;

/// The value in a 32-bit field that refers the reader to the ZIP64 record, which contains the
/// number itself.
static const guint32 elsewhere = G_MAXUINT32;

/// The version of the ZIP format that a reader must support: 1.0, or 4.5 for ZIP64.
enum { PH_PLAIN = 10, PH_ZIP64 = 45 };

/// The date 1 January 1980 in the format of MS-DOS.
enum { PH_DATE = 1 << 5 | 1 };

static void put(PhRecord *record, guint64 number, guint bytes) {
  for (guint i = 0; i < bytes; i++) record->bytes[record->count++] = (guchar)(number >> (8 * i));
}

static void put16(PhRecord *record, guint number) { put(record, number, 2); }
static void put32(PhRecord *record, guint64 number) { put(record, number, 4); }
static void put64(PhRecord *record, guint64 number) { put(record, number, 8); }

static int write_bytes(PhArchive *archive, const void *bytes, size_t count) {
  archive->offset += count;
  return vips_target_write(archive->target, bytes, count);
}

PhArchive *ph_archive_new(VipsTarget *target) {
  PhArchive *archive = g_new0(PhArchive, 1);
  archive->target = target;
  archive->directory = g_byte_array_new();
  return archive;
}

void ph_archive_free(PhArchive *archive) {
  if (!archive) return;
  g_byte_array_free(archive->directory, TRUE);
  g_free(archive);
}

/// Writes the fields that the header of a file and the file's entry in the directory have in
/// common.
static void put_facts(PhRecord *record, guint32 sum, size_t count, size_t name) {
  put16(record, 0);  // Flags.
  put16(record, 0);  // Method: stored.
  put16(record, 0);  // Time: midnight.
  put16(record, PH_DATE);
  put32(record, sum);
  put32(record, count);
  put32(record, count);
  put16(record, (guint)name);
}

int ph_archive_add(PhArchive *archive, const char *name, const void *bytes, size_t count) {
  size_t length = strlen(name);
  guint32 sum = libdeflate_crc32(0, bytes, count);
  gboolean is_far = archive->offset >= elsewhere;
  PhRecord entry = {.count = 0};
  put32(&entry, 0x02014B50);
  put16(&entry, PH_ZIP64);  // The writer's version of ZIP.
  put16(&entry, is_far ? PH_ZIP64 : PH_PLAIN);
  put_facts(&entry, sum, count, length);
  put16(&entry, is_far ? 12 : 0);
  put16(&entry, 0);  // The comment's length.
  put16(&entry, 0);  // The disk's number.
  put16(&entry, 0);
  put32(&entry, 0);
  put32(&entry, is_far ? elsewhere : archive->offset);
  g_byte_array_append(archive->directory, entry.bytes, entry.count);
  g_byte_array_append(archive->directory, (const guint8 *)name, (guint)length);
  if (is_far) {
    PhRecord extra = {.count = 0};
    put16(&extra, 1);
    put16(&extra, 8);
    put64(&extra, archive->offset);
    g_byte_array_append(archive->directory, extra.bytes, extra.count);
  }
  archive->files++;
  PhRecord head = {.count = 0};
  put32(&head, 0x04034B50);
  put16(&head, PH_PLAIN);
  put_facts(&head, sum, count, length);
  put16(&head, 0);
  return write_bytes(archive, head.bytes, head.count) || write_bytes(archive, name, length) ||
                 write_bytes(archive, bytes, count)
             ? -1
             : 0;
}

/// Writes the ZIP64 record for the end of the directory, and the locator of this record.
static int write_far_end(PhArchive *archive, guint64 start, guint64 size) {
  PhRecord end = {.count = 0};
  guint64 place = archive->offset;
  put32(&end, 0x06064B50);
  put64(&end, 44);
  put16(&end, PH_ZIP64);
  put16(&end, PH_ZIP64);
  put32(&end, 0);
  put32(&end, 0);
  put64(&end, archive->files);
  put64(&end, archive->files);
  put64(&end, size);
  put64(&end, start);
  PhRecord locator = {.count = 0};
  put32(&locator, 0x07064B50);
  put32(&locator, 0);
  put64(&locator, place);
  put32(&locator, 1);
  return write_bytes(archive, end.bytes, end.count) ||
                 write_bytes(archive, locator.bytes, locator.count)
             ? -1
             : 0;
}

int ph_archive_end(PhArchive *archive) {
  guint64 start = archive->offset, size = archive->directory->len;
  gboolean is_many = archive->files >= G_MAXUINT16;
  gboolean is_far = start >= elsewhere;
  if (write_bytes(archive, archive->directory->data, size) ||
      ((is_many || is_far) && write_far_end(archive, start, size)))
    return -1;
  PhRecord end = {.count = 0};
  put32(&end, 0x06054B50);
  put16(&end, 0);
  put16(&end, 0);
  put16(&end, is_many ? G_MAXUINT16 : (guint)archive->files);
  put16(&end, is_many ? G_MAXUINT16 : (guint)archive->files);
  put32(&end, size);
  put32(&end, is_far ? elsewhere : start);
  put16(&end, 0);
  return write_bytes(archive, end.bytes, end.count);
}

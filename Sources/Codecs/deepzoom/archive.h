#pragma once
#include <vips/vips.h>

/// Writes a ZIP archive of uncompressed files in one pass, without seeking in the target.
///
/// The same files give the same bytes: every date is 1 January 1980, the first date that ZIP can
/// store. Archives of 65,535 files or more, or of more than 4 GB, use ZIP64.
///
/// Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.6 to 4.3.16 and 4.5.3.
typedef struct PhArchive PhArchive;

PhArchive *ph_archive_new(VipsTarget *target);

/// Frees a writer; has no effect for NULL.
void ph_archive_free(PhArchive *archive);

/// Adds a file of less than 4 GB; `name` is ASCII.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_archive_add(PhArchive *archive, const char *name, const void *bytes, size_t count);

/// Writes the archive's directory after the last file. Returns 0, or −1 with libvips's error text
/// set.
int ph_archive_end(PhArchive *archive);

#pragma once
#include <stddef.h>

#include "base/kernel.h"

typedef struct {
  enum phbatch_opcode opcode;
  const float *payload;
} PhInstruction;

/// A point program that has been checked completely, so that it cannot fail while it runs.
typedef struct {
  /// The payload of TABLE, which runs as part of unpacking; NULL if there is none.
  const float *tables;
  /// The instructions after TABLE.
  PhInstruction *instructions;
  int count;
  /// The words that contain the payloads.
  float *words;
} PhProgram;

/// The limits for the images and tables of a program.
typedef struct {
  /// The number of possible values of an input sample; 0 if TABLE is not allowed.
  int table_size;
  /// The number of layers and of maps.
  int layers, maps;
  const PhMap *map;
} PhProgramInput;

/// Copies and checks a program.
///
/// Returns NULL, with libvips's error text set with `operation` as its origin, if the program is
/// invalid.
PhProgram *ph_program_read(const char *operation, const void *bytes, size_t length,
                           PhProgramInput input);

/// Runs all instructions except TABLE over a block. Returns the number of pixels that DITHER
/// clipped; 0 if they are not counted.
int ph_program_run(const PhProgram *program, const PhKernel *kernel, PhBlock *block);

void ph_program_free(PhProgram *program);

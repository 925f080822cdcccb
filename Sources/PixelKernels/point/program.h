#pragma once
#include <stddef.h>

#include "base/kernel.h"

typedef struct {
  enum phbatch_opcode opcode;
  const float *payload;
} PhInstruction;

/// A point program that has been checked completely, so that running it cannot fail.
typedef struct {
  /// The payload of TABLE, which runs as part of unpacking; NULL if there is none.
  const float *tables;
  /// The instructions after it.
  PhInstruction *instructions;
  int count;
  /// The words that the payloads point into.
  float *words;
} PhProgram;

/// The images and tables that a program may use.
typedef struct {
  /// The number of values that a sample of the input can have; 0 if TABLE is not allowed.
  int table_size;
  /// The number of layers and of maps.
  int layers, maps;
  const PhMap *map;
} PhProgramInput;

/// Copies and checks a program.
///
/// Returns NULL, with libvips's error text set in the name of `operation`, if the program is
/// invalid.
PhProgram *ph_program_read(const char *operation, const void *bytes, size_t length,
                           PhProgramInput input);

/// Runs all instructions except TABLE over a block. Returns the number of pixels that DITHER
/// clipped; 0 if they are not counted.
int ph_program_run(const PhProgram *program, const PhKernel *kernel, PhBlock *block);

void ph_program_free(PhProgram *program);

#pragma once
#include <stddef.h>

#include "base/kernel.h"

typedef struct {
  enum phbatch_opcode opcode;
  const float *payload;
} PhInstruction;

/// A point program that was checked from end to end, so that running it cannot fail.
typedef struct {
  /// The payload of TABLE, which runs as part of unpacking; NULL if there is none.
  const float *tables;
  /// The instructions after it.
  PhInstruction *instructions;
  int count;
  /// The words that the payloads point into.
  float *words;
} PhProgram;

/// What a program can refer to.
typedef struct {
  /// The number of the input's sample values; 0: no TABLE is allowed.
  int table_size;
  /// Images of each kind.
  int layers, maps;
  const PhMap *map;
} PhProgramInput;

/// Copies and checks a program.
///
/// Returns NULL with libvips's error text set, in the name of `operation`, if it is not one.
PhProgram *ph_program_read(const char *operation, const void *bytes, size_t length,
                           PhProgramInput input);

/// Runs the instructions but TABLE over a block. Returns how many of its pixels were clipped by then;
/// 0 where nobody asks.
int ph_program_run(const PhProgram *program, const PhKernel *kernel, PhBlock *block);

void ph_program_free(PhProgram *program);

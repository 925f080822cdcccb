import FuzzTargets
import Glibc

// `fuzz TARGET [OPTIONS OF LIBFUZZER] [CORPUS…]`: runs one parser on mutated files until it fails.
//
// - Source: compiler-rt, lib/fuzzer/FuzzerInterface.h.

private let target = FuzzTarget.all.first { $0.name == CommandLine.arguments.dropFirst().first }

/// Removes the target's name from the arguments, because libFuzzer treats every argument that is
/// not an option as the path of a corpus.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<Int32>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
  guard target != nil else {
    print("usage: fuzz TARGET [OPTIONS OF LIBFUZZER] [CORPUS…]")
    print("targets: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    exit(64)
  }
  words.pointee[1] = words.pointee[0]
  words.pointee += 1
  count.pointee -= 1
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target?.parse(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

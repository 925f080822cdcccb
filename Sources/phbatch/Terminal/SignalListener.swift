import Dispatch
import Glibc
import SystemCalls
import SystemPackage

/// Hears signals from the moment that it is made: they end nothing then, and none is lost.
///
/// Dispatch's own sources lose those that come before they are registered.
struct SignalListener {
  private let numbers: [Int32]
  private let source: any DispatchSourceRead

  /// - Parameters:
  ///   - numbers: Of the signals; each has one listener at a time.
  ///   - hear: Called for each signal, one after the other.
  /// - Throws: When no more files can be opened.
  init(_ numbers: [Int32], _ hear: @escaping @Sendable (Int32) -> Void) throws(Errno) {
    let pipe = unsafe phbatch_hear_signals(numbers, Int32(numbers.count))
    guard pipe >= 0 else { throw Errno(rawValue: -pipe) }
    self.numbers = numbers
    let queue = DispatchQueue(label: "phbatch.signals")
    source = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: queue)
    source.setEventHandler {
      var number: UInt8 = 0
      while unsafe read(pipe, &number, 1) == 1 { hear(Int32(number)) }
    }
    source.setCancelHandler { close(pipe) }
    source.activate()
  }

  /// Lets signals do again what they usually do.
  func end() {
    unsafe phbatch_forget_signals(numbers, Int32(numbers.count))
    source.cancel()
  }
}

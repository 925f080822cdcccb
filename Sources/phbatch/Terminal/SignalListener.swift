import Dispatch
import Glibc
import SystemCalls
import SystemPackage

/// Receives signals, which then no longer end the process, from its creation on.
///
/// A separate thread waits for the signals, so that none is lost. Dispatch's signal sources are not
/// used: they lose signals that arrive before they are registered, and Dispatch may crash if a read
/// source is cancelled while its pipe is closed (swift-corelibs-libdispatch 6.3).
struct SignalListener {
  private let numbers: [Int32]

  /// Begins to receive signals.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the signals; each signal can have only one listener at a time.
  ///   - hear: Called for each signal, one after the other.
  /// - Throws: An error if the process cannot open more files.
  init(_ numbers: [Int32], _ hear: @escaping @Sendable (Int32) -> Void) throws(Errno) {
    let pipe = unsafe phbatch_hear_signals(numbers, Int32(numbers.count))
    guard pipe >= 0 else { throw Errno(rawValue: -pipe) }
    self.numbers = numbers
    DispatchQueue(label: "phbatch.signals").async {
      var number: UInt8 = 0
      while unsafe read(pipe, &number, 1) == 1 { hear(Int32(number)) }
      close(pipe)
    }
  }

  /// Restores the default actions of the signals, and ends the listening thread.
  func end() {
    unsafe phbatch_forget_signals(numbers, Int32(numbers.count))
  }
}

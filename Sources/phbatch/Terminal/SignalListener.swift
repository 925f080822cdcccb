import Dispatch
import Glibc
import SystemCalls
import SystemPackage

/// Receives signals from the moment of its creation.
///
/// The signals then no longer end the process, and no signal is lost.
///
/// A thread of its own waits for them. Dispatch's signal sources lose signals that arrive before
/// they are registered, and Dispatch may crash if a read source is cancelled while its pipe is
/// closed (swift-corelibs-libdispatch 6.3).
struct SignalListener {
  private let numbers: [Int32]

  /// - Parameters:
  ///   - numbers: The numbers of the signals; each has one listener at a time.
  ///   - hear: Called for each signal, one after the other.
  /// - Throws: An error if no more files can be opened.
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

  /// Restores the default actions of the signals, and ends the thread.
  func end() {
    unsafe phbatch_forget_signals(numbers, Int32(numbers.count))
  }
}

import Glibc
import Synchronization

/// A cache of the values of recent texts, because the sidecars of a library repeat the same texts.
final class RecentTexts<Value: Sendable>: Sendable {
  private let recent = Mutex<[(text: [UInt8], value: Value)]>([])
  private static var most: Int { 32 }

  /// The value of a text.
  ///
  /// `read` creates the value of a text that is not in the cache.
  func value(of text: ArraySlice<UInt8>, _ read: ([UInt8]) -> Value) -> Value {
    let known = recent.withLock { recent in
      recent.first { Self.isEqual($0.text, text) }?.value
    }
    if let known { return known }
    let bytes = Array(text)
    let value = read(bytes)
    recent.withLock { recent in
      recent.insert((bytes, value), at: 0)
      if recent.count > Self.most { recent.removeLast() }
    }
    return value
  }

  private static func isEqual(_ known: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    guard known.count == text.count else { return false }
    return unsafe known.withUnsafeBytes { left in
      unsafe text.withUnsafeBytes { right in
        guard let a = left.baseAddress, let b = right.baseAddress else { return true }
        return unsafe memcmp(a, b, left.count) == 0
      }
    }
  }
}

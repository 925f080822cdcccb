import Glibc
public import SystemPackage

/// An open file, which is closed with the last reference to it.
public final class OpenFile: Sendable {
  /// The descriptor, always close-on-exec.
  ///
  /// It is used only within `withDescriptor`.
  private let descriptor: FileDescriptor

  /// The path with which the file was opened, for messages.
  public let path: FilePath

  /// Takes ownership of a descriptor; no other code may close it.
  public init(_ descriptor: FileDescriptor, _ path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Runs `body` with the descriptor, which stays open until `body` returns.
  ///
  /// A bare descriptor would not keep the file open, because Swift releases an object after its
  /// last use.
  public func withDescriptor<Result, Failure: Error>(
    _ body: (FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(descriptor)
  }

  /// Runs `body` with the descriptors of several files, which stay open until `body` returns.
  public static func withDescriptors<Result, Failure: Error>(
    of files: [OpenFile], _ body: ([Int32]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(files) {} }
    return try body(files.map(\.descriptor.rawValue))
  }

  deinit {
    // The result is ignored: callers that need the bytes on disk have already synchronized the
    // file.
    _ = close(descriptor.rawValue)
  }

  /// Reads up to `buffer.count` bytes from `offset`, without moving the file position.
  ///
  /// - Returns: The number of bytes read; fewer than requested only at the end of the file.
  func read(into buffer: inout [UInt8], at offset: Int) throws(Errno) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
        return unsafe pread(descriptor.rawValue, rest.baseAddress, rest.count, offset + filled)
      }
      if count < 0 {
        let failure = Errno(rawValue: errno)
        guard failure == .interrupted else { throw failure }
        continue
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Writes all of the bytes at the file position.
  func write(_ bytes: [UInt8]) throws(Errno) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
        return unsafe Glibc.write(descriptor.rawValue, rest.baseAddress, rest.count)
      }
      if count < 0 {
        let failure = Errno(rawValue: errno)
        guard failure == .interrupted else { throw failure }
        continue
      }
      written += count
    }
  }
}

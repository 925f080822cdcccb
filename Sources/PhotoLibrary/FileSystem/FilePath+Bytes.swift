import Glibc
import Notation
public import SystemPackage

extension FilePath {
  /// The bytes of the path that are passed to the kernel.
  public var bytes: [UInt8] {
    unsafe withPlatformString { path in
      unsafe [UInt8](
        UnsafeBufferPointer(start: path, count: length).lazy.map(UInt8.init(bitPattern:)))
    }
  }

  /// Creates a path from its bytes; nil if they contain a NUL.
  public init?(bytes: some Collection<UInt8>) {
    guard !bytes.contains(0) else { return nil }
    unsafe self.init(platformString: bytes.map(CChar.init(bitPattern:)) + [0])
  }

  /// The path as text to show: bytes that are not UTF-8 become U+FFFD; characters that control the
  /// terminal, the direction of writing or the line are escaped.
  public var displayed: String { String(displaying: bytes[...]) }
}

extension FilePath.Component {
  public var bytes: [UInt8] {
    unsafe withPlatformString { name in
      var end = unsafe name
      while unsafe end.pointee != 0 { unsafe end += 1 }
      return unsafe [UInt8](
        UnsafeBufferPointer(start: name, count: end - name).lazy.map(UInt8.init(bitPattern:)))
    }
  }
}

extension String {
  /// Creates text that is safe to print from arbitrary bytes.
  init(displaying bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      self = text
      return
    }
    guard text.unicodeScalars.contains(where: \.isControl) else {
      self = text
      return
    }
    self = ""
    for scalar in text.unicodeScalars {
      if scalar.isControl {
        self += scalar.escaped(asASCII: true)
      } else {
        unicodeScalars.append(scalar)
      }
    }
  }
}

extension FilePath {
  /// The absolute path, without symbolic links, of the file that currently has this path.
  public func canonical() throws(FileSystemError) -> FilePath {
    guard let resolved = unsafe withPlatformString({ unsafe realpath($0, nil) }) else {
      throw FileSystemError(.open, self, Errno(rawValue: errno))
    }
    defer { unsafe free(resolved) }
    return unsafe FilePath(platformString: resolved)
  }
}

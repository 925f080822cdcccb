import Glibc
public import SystemPackage

extension FilePermissions {
  /// What this process' umask leaves of read and write for everybody: the permissions of a file
  /// that any other program would make.
  ///
  /// Read once from the kernel's description of the process, for asking umask(2) changes it.
  public static let newFile: FilePermissions = {
    let everybody: FilePermissions = [
      .ownerReadWrite, .groupReadWrite, .otherReadWrite,
    ]
    let mask = umaskOfThisProcess() ?? FilePermissions(rawValue: 0o022)
    return everybody.subtracting(mask)
  }()

  /// What is asked for a new folder, for the umask to take from.
  public static let newFolder = FilePermissions(rawValue: 0o777)

  /// What is asked for folders whose contents are acted upon without a further question.
  static let newStateFolder = FilePermissions(rawValue: 0o755)

  private static func umaskOfThisProcess() -> FilePermissions? {
    let path: FilePath = "/proc/self/status"
    guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return nil
    }
    let file = OpenFile(descriptor, path)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    guard let count = try? file.read(into: &bytes, at: 0) else { return nil }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("Umask:") }),
      let mask = CModeT(line.dropFirst("Umask:".count).drop { $0 == "\t" || $0 == " " }, radix: 8)
    else { return nil }
    return FilePermissions(rawValue: mask)
  }

  private typealias CModeT = CInterop.Mode
}

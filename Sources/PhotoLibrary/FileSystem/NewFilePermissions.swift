import Glibc
public import SystemPackage

extension FilePermissions {
  /// Read and write permission for everyone, reduced by this process's umask: the permissions that
  /// other programs give to new files.
  ///
  /// The umask is read once from the kernel's description of the process, because umask(2) cannot
  /// return the umask without changing it.
  public static let newFile: FilePermissions = {
    let everybody: FilePermissions = [
      .ownerReadWrite, .groupReadWrite, .otherReadWrite,
    ]
    let mask = umaskOfThisProcess() ?? FilePermissions(rawValue: 0o022)
    return everybody.subtracting(mask)
  }()

  /// The permissions requested for a new folder; the kernel applies the umask.
  public static let newFolder = FilePermissions(rawValue: 0o777)

  /// The permissions requested for new state folders.
  ///
  /// Other users must not write to them, because phbatch acts upon their contents without further
  /// checks.
  public static let newStateFolder = FilePermissions(rawValue: 0o755)

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

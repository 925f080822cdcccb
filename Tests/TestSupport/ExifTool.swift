import Foundation
import Synchronization
import SystemPackage

/// ExifTool, an independent reader of metadata; it is not part of the product.
public enum ExifTool {
  private static let program = "/usr/bin/exiftool"

  public static var isHere: Bool {
    if FileManager.default.fileExists(atPath: program) { return true }
    print("SKIPPED: exiftool is not installed")
    return false
  }

  /// The tags of each file with their groups, such as `IFD0:Artist`; numeric values stay numbers.
  public static func tags(of files: [[UInt8]]) throws -> [[String: String]] {
    let folder = try TemporaryFolder()
    let names = files.indices.map { String(format: "%03d.img", $0) }
    for (name, file) in zip(names, files) { try folder.write(file, to: name) }
    let output = try run(
      ["-a", "-u", "-G1", "-s", "-n", "-json"] + names.map { folder[$0].string })
    let objects = try JSONSerialization.jsonObject(with: output) as? [[String: Any]] ?? []
    return objects.map { $0.mapValues { "\($0)" } }
  }

  public static func tags(of file: [UInt8]) throws -> [String: String] {
    try tags(of: [file]).first ?? [:]
  }

  /// The qualities at which JPEG files were saved, as estimated by ExifTool; the keys are the paths
  /// of the files.
  public static func qualities(of paths: [String]) throws -> [String: Int] {
    let output = try run(["-JPEGQualityEstimate", "-n", "-json"] + paths)
    let objects = try JSONSerialization.jsonObject(with: output) as? [[String: Any]] ?? []
    let pairs = objects.compactMap { object -> (String, Int)? in
      guard let path = object["SourceFile"] as? String,
        let quality = object["JPEGQualityEstimate"] as? Int
      else { return nil }
      return (path, quality)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The defects that ExifTool's own checks find in a file.
  public static func complaints(about file: [UInt8]) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(file, to: "file.img")
    let output = try run([
      "-validate", "-warning", "-error", "-a", "-s3", folder["file.img"].string,
    ])
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the file with tags that ExifTool writes, such as `-EXIF:Artist=Ada`.
  public static func writing(
    _ arguments: [String], into file: [UInt8], _ suffix: String
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let name = "file.\(suffix)"
    try folder.write(file, to: name)
    _ = try run(
      ["-overwrite_original", "-q", "-m"] + arguments + [folder[name].string],
      by: arguments.contains { $0.contains("{") } ? .structureWriter : .writer)
    return try folder.read(name)
  }

  /// A kind of process.
  ///
  /// A process that has written tags may read some structures under other names, and a process that
  /// has written a structure always does.
  private enum Kind {
    case reader, writer, structureWriter
  }

  /// The processes that wait for a command.
  private static let idle = Mutex<[Kind: [ExifToolProcess]]>([:])

  private static func run(_ arguments: [String], by kind: Kind = .reader) throws -> Data {
    let process = try idle.withLock { $0[kind]?.popLast() } ?? ExifToolProcess(program)
    let output = try process.output(of: arguments)
    if kind != .structureWriter { idle.withLock { $0[kind, default: []].append(process) } }
    return output
  }
}

/// A process of ExifTool that performs one command after another.
///
/// The start of ExifTool takes several times as long as a command on a small file. The process ends
/// after its input is closed, thus also after the end of the tests.
private struct ExifToolProcess: Sendable {
  struct Ended: Error {}

  private static let end = Data("{ready1}\n".utf8)
  private let process = Process()
  private let commands = Pipe()
  private let results = Pipe()

  /// ExifTool would wait forever for commands after the end of its input; it ends if it reads the
  /// option `-stay_open False`.
  init(_ program: String) throws {
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", #"{ cat; printf '%s\n' -stay_open False; } | "$0" -stay_open True -@ -"#, program,
    ]
    process.standardInput = commands
    process.standardOutput = results
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Performs a command whose arguments have no line breaks, and returns what it prints.
  func output(of arguments: [String]) throws -> Data {
    let lines = (arguments + ["-execute1"]).map { $0 + "\n" }.joined()
    try commands.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
    var output = Data()
    while !output.hasSuffix(Self.end) {
      let more = results.fileHandleForReading.availableData
      if more.isEmpty { throw Ended() }
      output += more
    }
    return output.dropLast(Self.end.count)
  }
}

extension Data {
  fileprivate func hasSuffix(_ suffix: Data) -> Bool { self.suffix(suffix.count) == suffix }
}

import Foundation
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
    // The arguments are passed in a file, because the length of a command line is limited.
    try folder.write(arguments.joined(separator: "\n"), to: "arguments")
    _ = try run([
      "-overwrite_original", "-q", "-m", "-@", folder["arguments"].string, folder[name].string,
    ])
    return try folder.read(name)
  }

  private static func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return output
  }
}

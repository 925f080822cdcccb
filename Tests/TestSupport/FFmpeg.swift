import Foundation
import Synchronization
import SystemPackage

/// ffmpeg and ffprobe, independent readers and writers of films; they are not part of the product.
public enum FFmpeg {
  /// The error of a program that did not exit with 0.
  public struct Failure: Error {
    public let arguments: [String]
    public let messages: String
  }

  public static var isHere: Bool {
    if FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg") { return true }
    print("SKIPPED: ffmpeg is not installed")
    return false
  }

  /// Runs ffmpeg, with stdout as the result.
  @discardableResult
  public static func run(_ arguments: [String], program: String = "ffmpeg") throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let (output, messages) = (folder["output"].string, folder["messages"].string)
    for name in ["output", "messages"] { try folder.write([], to: name) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = ["-v", "error"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: messages)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        arguments: arguments, messages: String(decoding: try folder.read("messages"), as: UTF8.self)
      )
    }
    return try folder.read("output")
  }

  /// The films that `encode` has made, and what `probe` has listed of films with the same bytes.
  private static let films = Mutex<[[String]: [UInt8]]>([:])
  private static let lists = Mutex<[Probe: [String]]>([:])

  private struct Probe: Hashable {
    let arguments: [String]
    let film: [UInt8]
  }

  /// Makes a film; equal films are encoded once.
  public static func encode(_ arguments: [String], to path: String) throws {
    let key = arguments + [URL(filePath: path).pathExtension]
    if let film = films.withLock({ $0[key] }) {
      return try Data(film).write(to: URL(filePath: path))
    }
    try run(["-y"] + arguments + [path])
    let film = try [UInt8](Data(contentsOf: URL(filePath: path)))
    films.withLock { $0[key] = film }
  }

  /// Makes a film of 1 s with moving colours and a tone, in a container without chapters.
  ///
  /// `options` come before the name of the file, such as `["-c:v", "libx264"]`.
  public static func makeFilm(
    _ path: String, size: String = "96x64", rate: String = "25", _ options: [String]
  ) throws {
    try encode(
      ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=1"]
        + ["-f", "lavfi", "-i", "sine=frequency=440:duration=1"] + options, to: path)
  }

  /// The time stamps of the picture's frames in seconds, as ffprobe lists them.
  public static func times(_ path: String) throws -> [String] {
    try probe(path, "frame=pts_time", ["-select_streams", "v:0"])
  }

  /// Facts about the film's tracks; an entry such as `stream=codec_name` selects the facts.
  ///
  /// Each line describes one track.
  public static func probe(
    _ path: String, _ entries: String, _ options: [String] = []
  ) throws -> [String] {
    let arguments = options + ["-show_entries", entries, "-of", "csv=p=0"]
    let key = try Probe(
      arguments: arguments + [URL(filePath: path).pathExtension],
      film: [UInt8](Data(contentsOf: URL(filePath: path))))
    if let list = lists.withLock({ $0[key] }) { return list }
    let output = try run(arguments + [path], program: "ffprobe")
    // ffprobe ends a line with a comma if a frame has further data that are not listed.
    let list = String(decoding: output, as: UTF8.self).split(separator: "\n")
      .map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }
    lists.withLock { $0[key] = list }
    return list
  }

  /// The MD5 digests of all stored sound packets, including packets that edit lists skip.
  public static func soundDigests(_ path: String) throws -> [String] {
    let options = path.hasSuffix(".mp4") || path.hasSuffix(".mov") ? ["-ignore_editlist", "1"] : []
    return try probe(
      path, "packet=data_hash", options + ["-select_streams", "a", "-show_data_hash", "md5"])
  }

  /// A frame as interleaved 8-bit RGB; `number` starts at 0.
  public static func frame(_ number: Int, of path: String, filters: String = "") throws -> [UInt8] {
    let more = filters.isEmpty ? "" : ",\(filters)"
    return try run([
      "-noautorotate", "-i", path, "-vf", "select=eq(n\\,\(number))\(more)", "-frames:v", "1",
      "-sws_flags", "accurate_rnd+full_chroma_int+full_chroma_inp+bilinear", "-pix_fmt", "rgb24",
      "-f", "rawvideo", "-",
    ])
  }
}

import Glibc
import Lensfun
import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import Synchronization

/// The lens database that is installed in the system or by the user; it is opened at the first
/// request.
///
/// The coordinator reads the database, because a worker cannot open files.
final class LensDatabase: LensFinder {
  /// The database of this process.
  static let shared = LensDatabase()

  private struct State: ~Copyable {
    var opened: OpenedLenses?
    /// The reason why the database could not be opened.
    var failure: String?
    /// The answers to earlier requests, because most photos of a folder are from one camera.
    var answers: [LensFacts: LensAnswer] = [:]
  }

  /// The maximum number of answers that are kept.
  private static let mostAnswers = 1000

  private let file: String?
  private let state = Mutex(State())

  /// - Parameter file: A file of lensfun's format, in place of the installed ones.
  init(file: String? = nil) { self.file = file }

  func lens(for facts: LensFacts) throws(RenderError) -> LensAnswer {
    let (answer, failure) = state.withLock { state -> (LensAnswer?, String?) in
      if let known = state.answers[facts] { return (known, nil) }
      if state.opened == nil && state.failure == nil {
        switch OpenedLenses.open(file) {
        case .success(let opened): state.opened = opened
        case .failure(let failure): state.failure = failure.text
        }
      }
      guard let opened = state.opened else { return (nil, state.failure) }
      let answer = opened.find(facts)
      if state.answers.count >= Self.mostAnswers { state.answers = [:] }
      state.answers[facts] = answer
      return (answer, nil)
    }
    guard let answer else { throw .missingLensDatabase(failure ?? "") }
    return answer
  }
}

/// The loaded library and database.
@safe private final class OpenedLenses {
  struct Failure: Error {
    let text: String
  }

  private let pointer: UnsafeMutableRawPointer
  /// The day on which the database was made; empty if the database does not state it.
  private let version: String

  private init(_ pointer: UnsafeMutableRawPointer, _ version: String) {
    unsafe self.pointer = unsafe pointer
    self.version = version
  }

  deinit { unsafe phbatch_close_lenses(pointer) }

  /// The maximum length in bytes of a failure's reason, of a camera's name and of a lens's name.
  private static let textLength = 1024

  static func open(_ file: String?) -> Result<OpenedLenses, Failure> {
    var reason = [CChar](repeating: 0, count: textLength)
    guard let pointer = unsafe phbatch_open_lenses(file, &reason, reason.count) else {
      return .failure(Failure(text: text(reason)))
    }
    let version = file == nil ? InstalledDatabase.version : ""
    return .success(unsafe OpenedLenses(pointer, version))
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func find(_ facts: LensFacts) -> LensAnswer {
    var numbers = [Double](repeating: 0, count: Int(PHBATCH_LENS_NUMBERS.rawValue))
    var names = [CChar](repeating: 0, count: Self.textLength)
    let setting = phbatch_lens_setting(
      focal_length: facts.focalLength ?? 0, aperture: facts.aperture ?? 0,
      distance: facts.distance ?? 0, equivalent: facts.equivalent ?? 0)
    let result = unsafe phbatch_find_lens(
      pointer, facts.maker, facts.camera, facts.lens, facts.isWritten ? 1 : 0, setting, &numbers,
      &names, names.count)
    let lines = Self.text(names).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { String($0) }
    let camera = lines[0].isEmpty ? facts.cameraName : lines[0]
    let isFound = result == PHBATCH_LENS_FOUND || result == PHBATCH_LENS_FOUND_WITHOUT_SENSOR
    guard isFound, lines.count == 2 else {
      return .unknown(Self.reason(result, facts, camera: camera))
    }
    var profile = LensProfile(numbers, camera: camera, lens: lines[1], database: version)
    profile.isCropAssumed = result == PHBATCH_LENS_FOUND_WITHOUT_SENSOR
    guard profile.isSane else {
      return .unknown("the numbers of '\(lines[1])' in the database are out of range")
    }
    return .found(profile)
  }

  private static func reason(
    _ result: phbatch_lens_result, _ facts: LensFacts, camera: String
  ) -> String {
    let lens = facts.lens.isEmpty ? nil : "'\(facts.lens)'"
    switch result {
    case PHBATCH_LENS_UNKNOWN_CAMERA:
      return camera.isEmpty
        ? "the photo states neither camera nor lens; name them by 'camera' and 'lens'"
        : "the photo states no lens, and the database has no camera '\(camera)'; name the lens by"
          + " 'lens'"
    case PHBATCH_LENS_UNKNOWN_FOCAL_LENGTH:
      let name = lens ?? "the lens of '\(camera)'"
      return facts.focalLength.map {
        "\(name) does not fit the focal length of \($0.brief) mm; name another by 'lens', or the length by"
          + " 'focalLength'"
      } ?? "\(name) does not fit a photo without a focal length; state it by 'focalLength'"
    default:
      return lens.map {
        "the database has no \($0) for '\(camera)'; name a similar one by 'lens', or add this one to"
          + " ~/.local/share/lensfun"
      } ?? "the photo does not state the lens of '\(camera)'; name it by 'lens'"
    }
  }
}

/// The files that lensfun reads.
private enum InstalledDatabase {
  /// The folders of databases; of equally new databases, lensfun uses the first.
  private static var folders: [String] {
    let home = variable("XDG_DATA_HOME") ?? variable("HOME").map { "\($0)/.local/share" } ?? ""
    return [
      "/usr/share/lensfun/version_1", "/var/lib/lensfun-updates/version_1",
      "\(home)/lensfun/updates/version_1",
    ]
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The day on which the newest database was made; empty if no database states its day.
  static var version: String {
    let times = folders.compactMap { folder -> Int64? in
      guard let file = unsafe fopen("\(folder)/timestamp.txt", "r") else { return nil }
      defer { unsafe fclose(file) }
      var bytes = [CChar](repeating: 0, count: 32)
      guard unsafe fgets(&bytes, Int32(bytes.count), file) != nil else { return nil }
      let text = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return Int64(String(decoding: text, as: UTF8.self).filter(\.isNumber))
    }
    return times.max().map { String("\(CivilTime(nanoseconds: $0 * 1_000_000_000))".prefix(10)) }
      ?? ""
  }
}

extension LensProfile {
  /// Creates a profile from the numbers of the database.
  fileprivate init(_ numbers: [Double], camera: String, lens: String, database: String) {
    func number(_ place: phbatch_lens_number, _ next: Int = 0) -> Double {
      numbers[Int(place.rawValue) + next]
    }
    self.init(
      camera: camera, lens: lens, database: database, crop: number(PHBATCH_LENS_CROP))
    measuredCrop = number(PHBATCH_LENS_MEASURED_CROP)
    measuredAspect = number(PHBATCH_LENS_MEASURED_ASPECT)
    shift = [number(PHBATCH_LENS_SHIFT_X), number(PHBATCH_LENS_SHIFT_Y)]
    let model = PHBATCH_LENS_DISTORTION
    switch Int(number(model)) {
    case 1: distortion = .poly3(k: number(model, 1))
    case 2: distortion = .poly5(number(model, 1), number(model, 2))
    case 3: distortion = .ptlens(a: number(model, 1), b: number(model, 2), c: number(model, 3))
    default: break
    }
    let colour = PHBATCH_LENS_COLOUR
    switch Int(number(colour)) {
    case 1: (red, blue) = (Fringe(v: number(colour, 1)), Fringe(v: number(colour, 2)))
    case 2:
      red = Fringe(v: number(colour, 1), c: number(colour, 3), b: number(colour, 5))
      blue = Fringe(v: number(colour, 2), c: number(colour, 4), b: number(colour, 6))
    default: break
    }
    let light = PHBATCH_LENS_VIGNETTING
    if number(light) == 1 {
      vignetting = Vignetting([number(light, 1), number(light, 2), number(light, 3)])
    }
  }
}

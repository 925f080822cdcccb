import Notation
import PhotoRecipes

/// Converts a history of darktable into a recipe, as far as its modules have the same meaning as a
/// filter.
///
/// The steps are in the order of darktable's pipeline: light, lens, geometry, detail.
/// - Source: darktable 4.2, `src/iop`: the parameters of the modules `exposure`, `lens`, `flip`,
///   `crop` and `sharpen`; `src/common/image.h`, for the numbers of orientations; darktable 5.0,
///   `src/common/iop_order.h`, for the numbers of orders.
struct DarktableImport {
  private let packet: XMPPacket
  private let photo: SettingsPhoto
  private let steps: [DarktableHistory.Step]
  private var draft = RecipeDraft()

  /// True if a packet has steps of darktable that are on, or no settings of another program.
  static func applies(to packet: XMPPacket) -> Bool {
    let isOn = DarktableHistory(packet).steps.contains(where: \.isEnabled)
    return packet.editor == .darktable && (isOn || !packet.hasCameraRawSettings)
  }

  static func draft(
    of packet: XMPPacket, isOfRawPhoto: Bool, photo: SettingsPhoto
  ) throws(ForeignFileError) -> RecipeDraft {
    var reader = DarktableImport(packet, photo)
    guard !reader.steps.isEmpty else { throw .noSettings }
    if isOfRawPhoto { reader.draft.selectRaw() }
    for operation in Self.handled {
      for step in reader.steps where step.operation == operation { reader.add(step) }
    }
    reader.leftovers()
    return reader.draft
  }

  private init(_ packet: XMPPacket, _ photo: SettingsPhoto) {
    (self.packet, self.photo) = (packet, photo)
    steps = DarktableHistory(packet).steps.filter(\.isEnabled)
  }

  /// The modules that are converted, in the order of the steps.
  private static let handled = ["exposure", "lens", "flip", "crop", "sharpen"]
  /// The modules that decode, convert colours or keep masks, which change no photo by themselves.
  private static let silent: Set = [
    "cacorrect", "colorin", "colorout", "demosaic", "dither", "finalscale", "gamma", "mask_manager",
    "rawprepare",
  ]
  /// The modules that make a picture of a raw photo's light.
  private static let looks: Set = ["agx", "basecurve", "filmic", "filmicrgb", "sigmoid"]
  /// The stops by which darktable's presets brighten a photo whose picture these modules make.
  private static let presetStops = 0.7

  /// True if a module is on that needs the light of darktable's own presets.
  private var hasLook: Bool {
    steps.contains { ["agx", "filmicrgb", "sigmoid"].contains($0.operation) }
  }

  /// True if darktable multiplies the coded values of the photo, because `exposure` precedes the
  /// conversion to linear light.
  ///
  /// The order of the modules is that of raw photos (1, 2 and 4; 1 if none is stated), and the photo
  /// is not raw.
  private var multipliesCodedValues: Bool {
    let order = packet[XMPNamespace.darktable, "iop_order_version"]?.text ?? "1"
    return photo.isRaw == false && ["1", "2", "4"].contains(order)
  }

  /// Converts a step, unless darktable applies only a part of it.
  private mutating func add(_ step: DarktableHistory.Step) {
    switch step.blending {
    case .whole: break
    case .masked: return draft.drop(step.name, "a mask", "the masks of darktable are not converted")
    case .mixed(let opacity):
      return draft.drop(
        step.name, "\(opacity.short) %", "the opacities of darktable are not converted")
    case .blended(let mode):
      return draft.drop(
        step.name, "blend mode \(mode)", "the blend modes of darktable are not converted")
    case .unreadable:
      return draft.drop(step.name, "unreadable", "the mask or the opacity is not known")
    }
    switch step.operation {
    case "exposure": exposure(step)
    case "lens": lens(step)
    case "flip": turn(step)
    case "crop": crop(step)
    default: sharpening(step)
    }
  }

  private mutating func unknown(_ step: DarktableHistory.Step) {
    draft.drop(
      step.name, "version \(step.version)", "phbatch does not know this version of the module")
  }

  private mutating func exposure(_ step: DarktableHistory.Step) {
    guard (5...7).contains(step.version), let mode = step.integer(at: 0),
      let black = step.number(at: 4), let stops = step.number(at: 8)
    else { return unknown(step) }
    guard mode == 0 else {
      return draft.drop(
        step.name, "automatic", "darktable does not state the stops that it finds")
    }
    // The presets set the first instance.
    let isPreset = hasLook && step.instance == 0
    let bias = bias(takenBackBy: step)
    let change = stops - (isPreset ? Self.presetStops : 0) - bias
    let held = draft.add(Exposure.self) { $0.stops = change }
    if abs(change) >= 0.005 {
      draft.approximate(
        step.name, "\(stops.short) EV", Exposure.name,
        (isPreset
          ? "relative to the 0.7 stops of darktable's own presets, which its tone mapping needs"
          : "the same change in stops")
          + (multipliesCodedValues
            ? " of linear light; darktable multiplies the coded values, which changes more" : "")
          + (bias == 0 ? "" : "; less the photo's exposure bias of \(bias.short) EV") + held)
    }
    // The presets of darktable move black by 1/4096.
    if abs(black) > 0.0005 {
      draft.drop(
        "\(step.name) black", black.short, "the black point of raw photos is the camera's")
    }
  }

  /// The exposure bias of the photo, in stops, if a step of `exposure` takes it back; otherwise 0.
  ///
  /// Version 7 also compensates the highlight preservation of some cameras. That needs no step,
  /// because the look of raw photos has the tones of the camera's JPEG.
  private mutating func bias(takenBackBy step: DarktableHistory.Step) -> Double {
    guard step.version >= 6, let isOn = step.integer(at: 20), isOn != 0 else { return 0 }
    guard let bias = photo.exposureBias else {
      draft.drop(
        "\(step.name) compensate_exposure_bias", "true",
        "the photo is not beside the file, so its exposure bias is not known")
      return 0
    }
    // darktable does not trust a larger bias.
    return min(max(bias, -5), 5)
  }

  private mutating func lens(_ step: DarktableHistory.Step) {
    // From version 6 on, the method precedes the flags (1 is lensfun), and the flags are
    // darktable's own instead of lensfun's.
    let start = step.version >= 6 ? 4 : 0
    let bending = step.version >= 6 ? 4 : 8
    guard (2...10).contains(step.version), let flags = step.integer(at: start),
      let method = step.version >= 6 ? step.integer(at: 0) : 1
    else { return unknown(step) }
    let kinds = (
      tca: flags & 1 != 0, vignetting: flags & 2 != 0, distortion: flags & bending != 0
    )
    guard kinds.tca || kinds.vignetting || kinds.distortion else { return }
    draft.add(LensFilter.self) {
      ($0.tca, $0.vignetting, $0.distortion) = (kinds.tca, kinds.vignetting, kinds.distortion)
    }
    draft.approximate(
      step.name, method == 1 ? "lensfun" : "embedded", LensFilter.name,
      method == 1
        ? "the same profile, if both programs have the same database of lensfun"
        : "by lensfun's profile of the lens, not the camera's")
  }

  /// The orientations of EXIF, 1…8, in the order of darktable's numbers.
  ///
  /// The lowest bit of a number mirrors top and bottom, the next left and right; the third then
  /// exchanges rows and columns.
  private static let orientations = [1, 4, 2, 3, 5, 6, 8, 7].compactMap(Orientation.init)

  private mutating func turn(_ step: DarktableHistory.Step) {
    guard (1...2).contains(step.version), let number = step.integer(at: 0) else {
      return unknown(step)
    }
    // −1 is the orientation that the camera wrote.
    if number == -1 { return }
    guard Self.orientations.indices.contains(number) else {
      return draft.drop(step.name, "\(number)", "darktable has no such orientation")
    }
    let shown = Self.orientations[number]
    let written = packet[XMPNamespace.tiff, "Orientation"]?.text.flatMap { Int($0) }
    let assumed = written.flatMap(Orientation.init) ?? .upright
    // Version 1 turned the photo that is upright by the camera's orientation; version 2 turns the
    // stored picture.
    let own = step.version == 1 ? .upright : photo.orientation ?? assumed
    guard let filter = draft.turn(from: own, to: shown) else { return }
    let isKnown = step.version == 1 || photo.orientation != nil
    draft.keep(
      step.name, "\(number)", filter, "the same turn of this photo",
      except: isKnown ? "" : ", which is not beside the file; its orientation is assumed")
  }

  private mutating func crop(_ step: DarktableHistory.Step) {
    let edges = (0..<4).compactMap { step.number(at: 4 * $0) }
    guard (1...3).contains(step.version), edges.count == 4 else {
      return unknown(step)
    }
    func part(_ value: Double) -> Double { min(max(value, 0), 1) }
    let (left, top, right, bottom) = (
      part(edges[0]), part(edges[1]), part(edges[2]), part(edges[3])
    )
    let value = edges.map(\.short).joined(separator: " ")
    guard right - left > 0.001, bottom - top > 0.001 else {
      return draft.drop(step.name, value, "the rectangle is empty")
    }
    func rounded(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
    draft.add(CropFilter.self) {
      ($0.left, $0.top) = (.fraction(rounded(left)), .fraction(rounded(top)))
      $0.width = .fraction(rounded(right - left))
      $0.height = .fraction(rounded(bottom - top))
    }
    draft.approximate(
      step.name, value, CropFilter.name,
      "the same fractions of the photo; the edges may differ by a few pixels of the sensor")
  }

  private mutating func sharpening(_ step: DarktableHistory.Step) {
    guard step.version == 1, let radius = step.number(at: 0), let amount = step.number(at: 4)
    else { return unknown(step) }
    let held = draft.add(Sharpen.self) { ($0.amount, $0.radius) = (amount, .pixels(radius)) }
    draft.approximate(
      step.name, "\(amount.short), radius \(radius.short)", Sharpen.name,
      "darktable sharpens L* with another kernel" + held)
  }

  private mutating func leftovers() {
    if packet.hasCameraRawSettings {
      draft.drop(
        "HasSettings", "True",
        "the settings of Camera Raw are left out, because the file has an edit by darktable, too")
    }
    for step in steps
    where !Self.handled.contains(step.operation) && !Self.silent.contains(step.operation) {
      draft.drop(step.name, "version \(step.version)", Self.reason(step.operation))
    }
  }

  private static func reason(_ operation: String) -> String {
    if looks.contains(operation) { return RecipeDraft.look }
    switch operation {
    case "temperature", "channelmixerrgb":
      return "the numbers depend on the camera; the white balance stays as shot"
    case "highlights": return "\"inputs\": {\"raw\": {\"highlights\": …}} takes its place"
    case "retouch", "spots", "liquify": return "phbatch does not retouch"
    default: return "this module is not converted"
    }
  }
}

import Notation
import PhotoRecipes

extension PhotosImport {
  private static let looks: [String: Look] = [
    "Mono": .mono, "Tonal": .tonal, "Noir": .noir, "Fade": .fade, "Chrome": .chrome,
    "Process": .process, "Transfer": .transfer, "Instant": .instant, "3DMono": .mono,
    "3DSilverplate": .tonal, "3DNoir": .noir,
  ]

  mutating func look(_ adjustment: PhotosAdjustment) {
    let settings = adjustment.settings
    let name = settings["effectName"]?.string ?? settings["kind"]?.string ?? ""
    let intensity =
      adjustment.number("intensity") ?? adjustment.number("effectIntensity") ?? 1
    if let look = Self.looks[name.replacing("CIPhotoEffect", with: "")] {
      var held = draft.add(LookFilter.self) { ($0.look, $0.intensity) = (look, intensity) }
      // Photos renders this look with brighter middle tones.
      if name == "3DNoir" { held += draft.add(Gamma.self) { $0.gamma = 1 + 0.12 * intensity } }
      return draft.approximate(
        adjustment.name, name, LookFilter.name,
        "a similar look of phbatch; Apple does not publish its formula" + held)
    }
    guard name.hasPrefix("3DVivid") || name.hasPrefix("3DDramatic") else {
      return draft.drop(adjustment.name, name, "unknown look")
    }
    let isVivid = name.hasPrefix("3DVivid")
    let warmth = name.hasSuffix("Warm") ? 12.0 : name.hasSuffix("Cool") ? -12 : 0
    let held = [
      draft.add(Contrast.self) { $0.amount = (isVivid ? 0.15 : 0.3) * intensity },
      draft.add(Vibrance.self) { $0.amount = (isVivid ? 0.4 : -0.25) * intensity },
      draft.add(WhiteBalance.self) {
        $0.temperature = WhiteBalance.temperature(warmerBy: warmth * intensity)
      },
    ]
    draft.approximate(
      adjustment.name, name, Vibrance.name,
      "similar contrast, vibrance and warmth; Apple does not publish the formula of this look"
        + held.joined())
  }

  mutating func denoise(_ adjustment: PhotosAdjustment) {
    guard let radius = adjustment.number("radius"), radius != 0 else { return }
    let edges = adjustment.number("edgeDetail") ?? 1.5
    let held = draft.add(Denoise.self) {
      ($0.luma, $0.chroma, $0.detail) = (radius / 10, radius / 10, edges / 6)
    }
    approximate(adjustment, "radius", radius, Denoise.name, Self.alike + held)
  }

  mutating func sharpen(_ adjustment: PhotosAdjustment) {
    guard let intensity = adjustment.number("intensity"), intensity != 0 else { return }
    let held = draft.add(Sharpen.self) {
      $0.amount = intensity
      $0.edges = adjustment.number("edges") ?? 1
      $0.falloff = adjustment.number("falloff") ?? 1
    }
    approximate(adjustment, "intensity", intensity, Sharpen.name, Self.alike + held)
  }

  mutating func vignette(_ adjustment: PhotosAdjustment) {
    guard let intensity = adjustment.number("intensity"), intensity != 0 else { return }
    let held = draft.add(Vignette.self) {
      // A positive intensity darkens the corners in Photos, but brightens them in phbatch.
      $0.intensity = -intensity
      $0.radius = adjustment.number("radius") ?? 0.5
      $0.falloff = adjustment.number("falloff") ?? 0.7
    }
    approximate(adjustment, "intensity", intensity, Vignette.name, Self.alike + held)
  }

  mutating func grain(_ adjustment: PhotosAdjustment) {
    guard let amount = adjustment.number("amount"), amount != 0 else { return }
    let held = draft.add(GrainFilter.self) {
      $0.amount = amount
      $0.size = .pixels(1 + (adjustment.number("iso") ?? 800) / 800)
      $0.seed = Int(65_535 * min(max(adjustment.number("seed") ?? 0, 0), 1))
    }
    approximate(adjustment, "amount", amount, GrainFilter.name, Self.alike + held)
  }
}

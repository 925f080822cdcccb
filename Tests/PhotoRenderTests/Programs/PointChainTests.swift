import TestSupport
import Testing

/// Chains of point filters in whole renders, compared with their formulas in double precision.
@Suite struct PointChainTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let filters: String
    let formula: PointFormulas.Formula

    init(_ filters: String, _ formula: @escaping PointFormulas.Formula) {
      self.filters = "[\(filters)]"
      self.formula = formula
    }

    var testDescription: String { filters }
  }

  static let chains: [Case] = [
    Case(
      #"{"filter": "exposure", "stops": 0.5}, {"filter": "contrast", "amount": 0.3}, {"filter": "saturation", "amount": 0.2}"#,
      PointFormulas.chain([
        PointFormulas.exposure(0.5), PointFormulas.contrast(0.3), PointFormulas.saturation(0.2),
      ])),
    Case(
      #"{"filter": "sepia", "opacity": 0.4}, {"filter": "exposure", "stops": -1, "opacity": 0.7}, {"filter": "vignette", "intensity": -0.5}"#,
      PointFormulas.chain([
        PointFormulas.faded(PointFormulas.sepia(1), 0.4),
        PointFormulas.faded(PointFormulas.exposure(-1), 0.7),
        PointFormulas.vignette(-0.5, radius: 0.5, falloff: 0.7),
      ])),
    Case(
      #"{"filter": "hue", "angle": 20}, {"filter": "levels", "black": 0.1, "white": 0.95, "gamma": 1.2}, {"filter": "gamma", "gamma": 0.8}"#,
      PointFormulas.chain([
        PointFormulas.hue(20), PointFormulas.levels(0.1, 0.95, 1.2), PointFormulas.gamma(0.8),
      ])),
    Case(
      #"{"filter": "saturation", "amount": -0.5}, {"filter": "levels", "black": 0.2, "gamma": 3}"#,
      PointFormulas.chain([PointFormulas.saturation(-0.5), PointFormulas.levels(0.2, 1, 3)])),
    Case(
      #"{"filter": "vibrance", "amount": 0.5}, {"filter": "brightness", "amount": -0.3}, {"filter": "gamma", "gamma": 2}, {"filter": "brightness", "id": "up", "amount": 0.3}"#,
      PointFormulas.chain([
        PointFormulas.vibrance(0.5), PointFormulas.brightness(-0.3), PointFormulas.gamma(2),
        PointFormulas.brightness(0.3),
      ])),
    Case(
      #"{"filter": "exposure", "stops": 2}, {"filter": "blackAndWhite", "intensity": 0.5}, {"filter": "exposure", "id": "back", "stops": -2}, {"filter": "invert"}, {"filter": "contrast", "amount": -0.3}, {"filter": "hue", "angle": 45}"#,
      PointFormulas.chain([
        PointFormulas.exposure(2), PointFormulas.blackAndWhite(0.5, [0.2126, 0.7152, 0.0722]),
        PointFormulas.exposure(-2), PointFormulas.invert(), PointFormulas.contrast(-0.3),
        PointFormulas.hue(45),
      ])),
    Case(
      #"{"filter": "vignette", "intensity": 0.6, "opacity": 0.5}, {"filter": "contrast", "amount": 0.7, "opacity": 0.3}, {"filter": "saturation", "amount": 0.4, "opacity": 0.8}, {"filter": "levels", "black": 0.15, "gamma": 2, "opacity": 0.25}"#,
      PointFormulas.chain([
        PointFormulas.faded(PointFormulas.vignette(0.6, radius: 0.5, falloff: 0.7), 0.5),
        PointFormulas.faded(PointFormulas.contrast(0.7), 0.3),
        PointFormulas.faded(PointFormulas.saturation(0.4), 0.8),
        PointFormulas.faded(PointFormulas.levels(0.15, 1, 2), 0.25),
      ])),
    Case(
      #"{"filter": "saturation", "amount": 1}, {"filter": "brightness", "amount": 0.3}, {"filter": "contrast", "amount": 0.4}"#,
      PointFormulas.chain([
        PointFormulas.saturation(1), PointFormulas.brightness(0.3), PointFormulas.contrast(0.4),
      ])),
    Case(
      #"{"filter": "sepia", "intensity": 0.5}, {"filter": "exposure", "stops": 4}, {"filter": "contrast", "amount": 0.2}, {"filter": "exposure", "id": "back", "stops": -4}"#,
      PointFormulas.chain([
        PointFormulas.sepia(0.5), PointFormulas.exposure(4), PointFormulas.contrast(0.2),
        PointFormulas.exposure(-4),
      ])),
  ]

  @Test(arguments: chains) func chainsOfPointFiltersMatchTheirFormulas(_ test: Case) throws {
    try PointChart.expect(test.filters, test.formula)
  }
}

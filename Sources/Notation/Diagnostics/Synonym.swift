/// The names that other programs give to filters, blend modes and settings.
enum Synonym {
  /// The name in `known` of the thing that other programs call `name`; nil if there is none.
  static func meaning(of name: String, among known: [String]) -> String? {
    let plain = plain(name)
    guard let group = groups.first(where: { $0.names.contains(plain) && $0.isKnown(known) }) else {
      return nil
    }
    return group.meanings.first(where: known.contains)
  }

  /// The name in lower case, with only its letters and digits.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private struct Group {
    /// The corresponding names in phbatch, the likeliest first.
    let meanings: [String]
    let names: Set<String>

    init(_ meanings: String..., for names: String) {
      self.meanings = meanings
      self.names = Set(names.split(separator: " ").map(String.init))
    }

    func isKnown(_ known: [String]) -> Bool { meanings.contains(where: known.contains) }
  }

  private static let groups = filters + modes + settings

  private static let filters = [
    Group("clarity", for: "definition structure localcontrast midtonecontrast"),
    Group("light", for: "brilliance"),
    Group("denoise", for: "noisereduction luminancenoise colornoise colournoise nr despeckle"),
    Group(
      "whiteBalance", for: "wb temperature colortemperature colourtemperature temptint warmth"),
    Group("autoWhiteBalance", for: "awb autowb autocolor autocolour"),
    Group("autoLevels", for: "autocontrast autotone enhance autoenhance"),
    Group("exposure", for: "ev exposurecompensation exposurebias"),
    Group("highlights", for: "recovery highlightrecovery"),
    Group("shadows", for: "filllight shadowrecovery"),
    Group("blacks", for: "black blackpoint"),
    Group("whites", for: "white whitepoint"),
    Group("curves", for: "tonecurve tonecurves rgbcurve rgbcurves"),
    Group("localLight", for: "tonemap tonemapping"),
    Group("equalize", for: "histogramequalization histogramequalisation histequal"),
    Group("clahe", for: "histlocal adaptivehistogram"),
    Group("blackAndWhite", for: "monochrome grayscale greyscale mono bw desaturate"),
    Group("hsl", for: "hueandsaturation huesaturation colormixer colourmixer coloreq colorzones"),
    Group("greyPoint", for: "neutralgray neutralgrey graybalance greybalance"),
    Group("colourBalance", for: "threeway liftgammagain colorwheels colourwheels"),
    Group("cast", for: "colorcast colourcast"),
    Group("tint", for: "colorize colourize colourise photofilter"),
    Group("matrix", for: "recomb colormatrix colourmatrix"),
    Group("lut", for: "clut haldclut lut3d lookup colorlookup colourlookup cube"),
    Group("look", for: "preset effect instagram"),
    Group("falseColour", for: "gradientmap heatmap"),
    Group("invert", for: "negate"),
    Group("negative", for: "filmnegative negadoctor filminversion"),
    Group("sharpen", for: "unsharp unsharpmask usm"),
    Group("deconvolve", for: "capturesharpening capturesharpen richardsonlucy deconvolution"),
    Group("defringe", for: "fringe fringes purplefringe chromaticaberrations"),
    Group("heal", for: "healing spot spots spotremoval retouch clone inpaint dust"),
    Group("moire", for: "moiré demoire moirereduction"),
    Group("blur", for: "gaussianblur gaussblur boxblur motionblur zoomblur radialblur"),
    Group("lensBlur", for: "bokeh depthblur portraitblur"),
    Group("surfaceBlur", for: "bilateral bilateralfilter smartblur"),
    Group("soften", for: "softfocus orton"),
    Group("bloom", for: "glow"),
    Group("grain", for: "noise filmgrain addnoise"),
    Group("dehaze", for: "haze defog hazeremoval"),
    Group("pixelate", for: "mosaic"),
    Group("censor", for: "redact"),
    Group("watermark", for: "logo overlay"),
    Group("text", for: "caption label annotate"),
    Group("chromaKey", for: "greenscreen bluescreen"),
    Group("background", for: "flatten"),
    Group("pad", for: "canvas extend embed letterbox"),
    Group("perspective", for: "keystone upright"),
    Group("straighten", for: "deskew horizon"),
    Group("trim", for: "autocrop"),
    Group("smartCrop", for: "attention entropy"),
    Group("resize", for: "thumbnail scale fit"),
    Group("flip", for: "mirror flop"),
    Group("orient", for: "autorotate autoorient exifrotate"),
    Group("external", for: "command exec script plugin"),
  ]

  private static let modes = [
    Group("add", for: "lighter pluslighter lineardodge plus"),
    Group("source", for: "copy replace"),
    Group("over", for: "sourceover srcover"),
    Group("in", for: "sourcein srcin"),
    Group("out", for: "sourceout srcout"),
    Group("atop", for: "sourceatop srcatop"),
    Group("dest", for: "destination dst"),
    Group("dest-over", for: "destinationover dstover behind"),
    Group("dest-in", for: "destinationin dstin"),
    Group("dest-out", for: "destinationout dstout erase"),
    Group("dest-atop", for: "destinationatop dstatop"),
    Group("luminosity", for: "luminance lightness value"),
  ]

  private static let settings = [
    Group("amount", "intensity", "strength", for: "amount intensity strength"),
    Group("radius", "size", for: "sigma radius size"),
    Group("angle", for: "rotation degrees rotate"),
    Group("gravity", for: "position anchor placement"),
    Group("stops", for: "ev exposure"),
  ]
}

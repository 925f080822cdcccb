#include "studio_page.h"

// The compiler of Swift 6.2 and later knows #embed in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char server_js[] = {
#embed "page/server.js"
};
static const unsigned char stage_js[] = {
#embed "page/stage.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char strip_js[] = {
#embed "page/strip.js"
};
static const unsigned char dialogs_js[] = {
#embed "page/dialogs.js"
};
static const unsigned char frames_js[] = {
#embed "page/frames.js"
};
static const unsigned char curve_js[] = {
#embed "page/curve.js"
};
static const unsigned char histogram_js[] = {
#embed "page/histogram.js"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};

#define SCRIPT "text/javascript; charset=utf-8"

static const struct studio_file files[] = {
  {"/", "text/html; charset=utf-8", index_html, sizeof index_html},
  {"/style.css", "text/css; charset=utf-8", style_css, sizeof style_css},
  {"/main.js", SCRIPT, main_js, sizeof main_js},
  {"/server.js", SCRIPT, server_js, sizeof server_js},
  {"/stage.js", SCRIPT, stage_js, sizeof stage_js},
  {"/controls.js", SCRIPT, controls_js, sizeof controls_js},
  {"/strip.js", SCRIPT, strip_js, sizeof strip_js},
  {"/dialogs.js", SCRIPT, dialogs_js, sizeof dialogs_js},
  {"/frames.js", SCRIPT, frames_js, sizeof frames_js},
  {"/curve.js", SCRIPT, curve_js, sizeof curve_js},
  {"/histogram.js", SCRIPT, histogram_js, sizeof histogram_js},
  {"/icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
};

const struct studio_file *studio_file_table(void) { return files; }

size_t studio_file_count(void) { return sizeof files / sizeof *files; }

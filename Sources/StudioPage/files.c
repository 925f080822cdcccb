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
static const unsigned char state_js[] = {
#embed "page/state.js"
};
static const unsigned char words_js[] = {
#embed "page/words.js"
};
static const unsigned char bindings_js[] = {
#embed "page/bindings.js"
};
static const unsigned char edits_js[] = {
#embed "page/edits.js"
};
static const unsigned char server_js[] = {
#embed "page/server.js"
};
static const unsigned char bar_js[] = {
#embed "page/bar.js"
};
static const unsigned char steps_js[] = {
#embed "page/steps.js"
};
static const unsigned char settings_js[] = {
#embed "page/settings.js"
};
static const unsigned char parameters_js[] = {
#embed "page/parameters.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char pending_js[] = {
#embed "page/pending.js"
};
static const unsigned char curve_js[] = {
#embed "page/curve.js"
};
static const unsigned char svg_js[] = {
#embed "page/svg.js"
};
static const unsigned char masks_js[] = {
#embed "page/masks.js"
};
static const unsigned char homography_js[] = {
#embed "page/homography.js"
};
static const unsigned char placement_js[] = {
#embed "page/placement.js"
};
static const unsigned char handles_js[] = {
#embed "page/handles.js"
};
static const unsigned char polygons_js[] = {
#embed "page/polygons.js"
};
static const unsigned char mask_frame_js[] = {
#embed "page/mask-frame.js"
};
static const unsigned char mask_shapes_js[] = {
#embed "page/mask-shapes.js"
};
static const unsigned char clipping_js[] = {
#embed "page/clipping.js"
};
static const unsigned char lacks_js[] = {
#embed "page/lacks.js"
};
static const unsigned char messages_js[] = {
#embed "page/messages.js"
};
static const unsigned char pick_js[] = {
#embed "page/pick.js"
};
static const unsigned char pickers_js[] = {
#embed "page/pickers.js"
};
static const unsigned char frames_js[] = {
#embed "page/frames.js"
};
static const unsigned char pace_js[] = {
#embed "page/pace.js"
};
static const unsigned char stage_js[] = {
#embed "page/stage.js"
};
static const unsigned char outputs_js[] = {
#embed "page/outputs.js"
};
static const unsigned char pins_js[] = {
#embed "page/pins.js"
};
static const unsigned char crop_js[] = {
#embed "page/crop.js"
};
static const unsigned char level_js[] = {
#embed "page/level.js"
};
static const unsigned char photos_js[] = {
#embed "page/photos.js"
};
static const unsigned char late_js[] = {
#embed "page/late.js"
};
static const unsigned char strip_js[] = {
#embed "page/strip.js"
};
static const unsigned char saving_js[] = {
#embed "page/saving.js"
};
static const unsigned char draft_js[] = {
#embed "page/draft.js"
};
static const unsigned char runs_js[] = {
#embed "page/runs.js"
};
static const unsigned char clipboard_js[] = {
#embed "page/clipboard.js"
};
static const unsigned char history_js[] = {
#embed "page/history.js"
};
static const unsigned char keys_js[] = {
#embed "page/keys.js"
};
static const unsigned char dialogs_js[] = {
#embed "page/dialogs.js"
};
static const unsigned char focus_js[] = {
#embed "page/focus.js"
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
  {"/state.js", SCRIPT, state_js, sizeof state_js},
  {"/words.js", SCRIPT, words_js, sizeof words_js},
  {"/bindings.js", SCRIPT, bindings_js, sizeof bindings_js},
  {"/edits.js", SCRIPT, edits_js, sizeof edits_js},
  {"/server.js", SCRIPT, server_js, sizeof server_js},
  {"/bar.js", SCRIPT, bar_js, sizeof bar_js},
  {"/steps.js", SCRIPT, steps_js, sizeof steps_js},
  {"/settings.js", SCRIPT, settings_js, sizeof settings_js},
  {"/parameters.js", SCRIPT, parameters_js, sizeof parameters_js},
  {"/controls.js", SCRIPT, controls_js, sizeof controls_js},
  {"/pending.js", SCRIPT, pending_js, sizeof pending_js},
  {"/curve.js", SCRIPT, curve_js, sizeof curve_js},
  {"/svg.js", SCRIPT, svg_js, sizeof svg_js},
  {"/masks.js", SCRIPT, masks_js, sizeof masks_js},
  {"/homography.js", SCRIPT, homography_js, sizeof homography_js},
  {"/placement.js", SCRIPT, placement_js, sizeof placement_js},
  {"/handles.js", SCRIPT, handles_js, sizeof handles_js},
  {"/polygons.js", SCRIPT, polygons_js, sizeof polygons_js},
  {"/mask-frame.js", SCRIPT, mask_frame_js, sizeof mask_frame_js},
  {"/mask-shapes.js", SCRIPT, mask_shapes_js, sizeof mask_shapes_js},
  {"/clipping.js", SCRIPT, clipping_js, sizeof clipping_js},
  {"/lacks.js", SCRIPT, lacks_js, sizeof lacks_js},
  {"/messages.js", SCRIPT, messages_js, sizeof messages_js},
  {"/pick.js", SCRIPT, pick_js, sizeof pick_js},
  {"/pickers.js", SCRIPT, pickers_js, sizeof pickers_js},
  {"/frames.js", SCRIPT, frames_js, sizeof frames_js},
  {"/pace.js", SCRIPT, pace_js, sizeof pace_js},
  {"/stage.js", SCRIPT, stage_js, sizeof stage_js},
  {"/outputs.js", SCRIPT, outputs_js, sizeof outputs_js},
  {"/pins.js", SCRIPT, pins_js, sizeof pins_js},
  {"/crop.js", SCRIPT, crop_js, sizeof crop_js},
  {"/level.js", SCRIPT, level_js, sizeof level_js},
  {"/photos.js", SCRIPT, photos_js, sizeof photos_js},
  {"/late.js", SCRIPT, late_js, sizeof late_js},
  {"/strip.js", SCRIPT, strip_js, sizeof strip_js},
  {"/saving.js", SCRIPT, saving_js, sizeof saving_js},
  {"/draft.js", SCRIPT, draft_js, sizeof draft_js},
  {"/runs.js", SCRIPT, runs_js, sizeof runs_js},
  {"/clipboard.js", SCRIPT, clipboard_js, sizeof clipboard_js},
  {"/history.js", SCRIPT, history_js, sizeof history_js},
  {"/keys.js", SCRIPT, keys_js, sizeof keys_js},
  {"/dialogs.js", SCRIPT, dialogs_js, sizeof dialogs_js},
  {"/focus.js", SCRIPT, focus_js, sizeof focus_js},
  {"/histogram.js", SCRIPT, histogram_js, sizeof histogram_js},
  {"/icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
};

const struct studio_file *studio_file_table(void) { return files; }

size_t studio_file_count(void) { return sizeof files / sizeof *files; }

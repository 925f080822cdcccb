"""Benchmarks/results/results.md: the record as tables."""
import statistics

from harness import separate


def markdown(record, order):
    about = record.about
    photos = about["photos"]
    lines = [
        "# Benchmarks", "",
        f"{photos['count']} photos from {photos['from']}, {photos['megapixels']:.0f} megapixels,"
        f" {photos['megabytes']:.0f} MB; {about['machine']}.", "",
        "All programs run in turn on the same photos, in rounds, with two processes of one thread"
        " side by side",
        "(phbatch: two workers). Seconds are medians; ratios are medians of the ratios within each"
        " round.",
        "phbatch also converts embedded profiles, hashes each photo, writes a sidecar, and has every"
        " file on disk",
        "(fsync) before it goes on; of the others, darktable and RawTherapee convert profiles. Each"
        " file made was",
        "checked for its size and subsampling; \"differs\" is the mean difference of a picture from"
        " phbatch's, in",
        "levels of 255, both seen at 512 pixels.", ""]
    lines += limits(record, order) + soaked()
    for name in order:
        if name in record.tasks:
            lines += section(name, record.tasks[name])
    return "\n".join(lines).rstrip() + "\n"


def limits(record, order):
    rows = [
        (name, limit) for name in order if name in record.tasks
        for limit in record.tasks[name].get("limits", [])] + list(separate.limits(record.tasks))
    if not rows:
        return []
    lines = ["## Limits", "", "| task | figure | measured | limit | |", "|---|---|---|---|---|"]
    for name, limit in rows:
        sign = "≥" if limit["at_least"] else "≤"
        unit = limit["unit"]
        value = "not measured" if limit["value"] is None else f"{limit['value']:.2f} {unit}".strip()
        met = {True: "met", False: "**missed**", None: ""}[limit["holds"]]
        lines.append(
            f"| {name} | {limit['text']} | {value} | {sign} {limit['bound']:g} {unit} | {met} |")
    return lines + [""]


def soaked():
    rows = separate.soaked()
    if not rows:
        return []
    lines = ["## Soaked", "", "What `make soak` went through without a failure.", "",
             "| part | figures | seconds | date |", "|---|---|---|---|"]
    return lines + [
        f"| {part} | {figures} | {seconds} | {date} |" for part, date, seconds, figures in rows] + [""]


def section(name, task):
    lines = [f"## {task['title']}", ""]
    if "skipped" in task:
        return lines + [f"Skipped: {task['skipped'].splitlines()[0]}", ""]
    if "text" in task:
        lines += ["```", task["text"], "```", ""]
    if "programs" in task:
        lines += programs(task)
    lines += [f"- {note}" for note in task.get("notes", [])]
    lines += [f"- {program} failed: {reason.splitlines()[0]}"
              for program, reason in task.get("failures", {}).items()]
    lines += [
        "", f"Task `{name}`: {task['date']}, revision {task['revision']}; load of the machine"
        f" before: {task['load_before']}.", ""]
    return lines


def programs(task):
    lines = [
        f"| program | seconds | × {task['reference']} | from … to | CPU seconds |"
        " largest process, MB | written, MB | differs |", "|---|---|---|---|---|---|---|---|"]
    rows = sorted(task["programs"].items(), key=lambda row: statistics.median(row[1]["wall"]))
    for name, entry in rows:
        wall, cpu = statistics.median(entry["wall"]), statistics.median(entry["cpu"])
        ratio = "" if entry["ratio"] is None else f"{entry['ratio']:.2f}"
        spread = "" if entry["spread"] is None else "{:.2f} … {:.2f}".format(*entry["spread"])
        mode = f", {entry['mode']}" if entry.get("mode", name) != name else ""
        lines.append(
            f"| {name}{mode} | {wall:.2f} | {ratio} | {spread} | {cpu:.2f} |"
            f" {max(entry['memory']):.0f} | {entry['bytes'] / 1e6:.1f} |"
            f" {entry['difference']:.1f} |")
    return lines + [""]

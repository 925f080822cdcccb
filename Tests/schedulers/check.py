"""Checks the jobs that `phbatch submit` prints with what schedulers publish: check.py PHBATCH.

Kubernetes manifests by its own schemas, strictly; requests for AWS Batch by the models of the AWS SDK;
scripts by `sh -n`. What must be refused is refused: each check is tried with a wrong document, too.
"""
import copy
import json
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib

import botocore.loaders
import botocore.model
import botocore.validate
import kubernetes_validate

KUBERNETES = "1.33"
FAILURES = []


def png():
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + bytes(3 * 8) for _ in range(8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def expect(condition, what):
    if not condition:
        FAILURES.append(what)


def command(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{words} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def kubernetes(text):
    items = json.loads(text)["items"]
    for item in items:
        try:
            kubernetes_validate.validate(item, KUBERNETES, strict=True)
        except kubernetes_validate.ValidationError as error:
            FAILURES.append(f"{item['metadata']['name']}: {error}")
        wrong = copy.deepcopy(item)
        wrong["spec"]["completion"] = 3
        try:
            kubernetes_validate.validate(wrong, KUBERNETES, strict=True)
            FAILURES.append("a wrong manifest is accepted")
        except kubernetes_validate.ValidationError:
            pass
        spec = item["spec"]
        # What the schema does not know: rules of batch/v1 between fields.
        expect(spec["template"]["spec"]["restartPolicy"] == "Never", "podFailurePolicy needs Never")
        # A job's own limit would end all its tasks, and no task would be repeated.
        expect("activeDeadlineSeconds" not in spec, "the time limit is that of a task")
        rules = spec["podFailurePolicy"]["rules"]
        for rule in rules:
            expect(len(rule.keys() & {"onExitCodes", "onPodConditions"}) == 1, f"one condition: {rule}")
            if rule["action"] == "FailIndex":
                expect("backoffLimitPerIndex" in spec, "FailIndex needs backoffLimitPerIndex")
        if "backoffLimitPerIndex" in spec:
            expect(spec["completionMode"] == "Indexed", "backoffLimitPerIndex needs an indexed job")
            expect("backoffLimit" not in spec, "a limit for each index replaces that of the job")
        codes = [code for rule in rules for code in rule.get("onExitCodes", {}).get("values", [])]
        expect(codes == sorted(set(codes)) and 0 not in codes, f"exit codes: {codes}")
    return items


def deadlines(jobs):
    """The time limits of the pods in seconds."""
    return [job["spec"]["template"]["spec"].get("activeDeadlineSeconds") for job in jobs]


def aws(text):
    model = botocore.model.ServiceModel(
        botocore.loaders.Loader().load_service_model("batch", "service-2"))
    requests = []
    for line in text.splitlines():
        words = shlex.split(line)
        if words[:2] != ["aws", "batch"]:
            continue
        expect(words[3] == "--cli-input-json", f"unexpected call: {line}")
        name = {"register-job-definition": "RegisterJobDefinition", "submit-job": "SubmitJob"}[words[2]]
        request = json.loads(words[4])
        shape = model.operation_model(name).input_shape
        report = botocore.validate.ParamValidator().validate(request, shape)
        if report.has_errors():
            FAILURES.append(f"{name}: {report.generate_report()}")
        wrong = {**request, "jobname": "x"}
        expect(botocore.validate.ParamValidator().validate(wrong, shape).has_errors(),
               "a wrong request is accepted")
        if "retryStrategy" in request:
            strategy = request["retryStrategy"]
            expect(1 <= strategy["attempts"] <= 10, "1 to 10 attempts")
            expect(len(strategy["evaluateOnExit"]) <= 5, "at most 5 conditions")
            for rule in strategy["evaluateOnExit"]:
                code = rule.get("onExitCode", "0")
                expect(code.rstrip("*").isdigit() or code == "*", f"digits and one asterisk: {code}")
                expect(rule["action"].upper() in ("RETRY", "EXIT"), f"action: {rule}")
        if "arrayProperties" in request:
            expect(2 <= request["arrayProperties"]["size"] <= 10_000, "2 to 10,000 tasks")
        requests.append((name, request))
    defined = {request["jobDefinitionName"] for name, request in requests if "jobDefinitionName" in request}
    used = {request["jobDefinition"] for _, request in requests if "jobDefinition" in request}
    expect(used == defined, f"definitions {defined}, jobs of {used}")
    return requests


def shell(text):
    done = subprocess.run(["sh", "-n"], input=text, capture_output=True, text=True)
    expect(done.returncode == 0, f"the script is no shell script: {done.stderr}")


def main():
    phbatch = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        # A name that a shell and JSON have to quote.
        top = pathlib.Path(folder) / "it's 1 \"place\""
        library = top / "Photos"
        for number in range(4):
            path = library / f"{number}" / "a.png"
            path.parent.mkdir(parents=True)
            path.write_bytes(png())
        recipe = top / "web.json"
        recipe.write_text(json.dumps({
            "identifier": "org.example.web", "version": "1.0.0", "variant": "web",
            "outputs": [{"name": "web", "format": "jpeg"}]}))
        plan = top / "web.plan"
        command(phbatch, "plan", recipe, library, "-o", plan, "--shards", "4", "--quiet")
        batch = ["--engine", "aws-batch", "--image", "phbatch:1", "--queue", "q", "--file-system", "fs-1"]
        pods = ["--engine", "kubernetes", "--image", "phbatch:1", "--claim", "photos"]
        jobs = kubernetes(command(phbatch, "submit", plan, *pods))
        expect([job["spec"].get("completions") for job in jobs] == [4, None], "four tasks and a merge")
        requests = aws(command(phbatch, "submit", plan, *batch))
        expect(len(requests) == 4, f"{len(requests)} requests for an array and a merge")
        shell(command(phbatch, "submit", plan, *batch))
        slurm = command(phbatch, "submit", plan, "--engine", "slurm", "--print")
        shell(slurm)
        # The time limit of a task is the same everywhere; Slurm counts minutes.
        limits = [60 * int(minutes) for minutes in re.findall("^#SBATCH --time=([0-9]+)$", slurm, re.M)]
        expect(len(limits) == 2 and limits[0] > 600, f"time limits of Slurm: {limits}")
        expect(deadlines(jobs) == [limits[0], None], f"time limits of Kubernetes: {deadlines(jobs)}")
        timeouts = [request["timeout"]["attemptDurationSeconds"] for _, request in requests if "timeout" in request]
        expect(timeouts == [limits[0], 7 * 86_400 + limits[1]], f"time limits of AWS Batch: {timeouts}")
        # The commands in the jobs run here as the scheduler would run them.
        script = jobs[0]["spec"]["template"]["spec"]["containers"][0]["command"]
        environment = {"PATH": f"{top}/bin:/usr/bin:/bin"}
        (top / "bin").mkdir()
        (top / "bin/phbatch").symlink_to(phbatch)
        for index in [0, 2]:
            done = subprocess.run(script, env={**environment, "JOB_COMPLETION_INDEX": str(index)})
            expect(done.returncode == 0, f"the task {index} of Kubernetes ended with {done.returncode}")
        again = kubernetes(command(phbatch, "submit", plan, "--retry", *pods))
        expect(len(again) == 3, f"{len(again)} jobs for two shards and a merge")
        expect(deadlines(again) == [limits[0], limits[0], None], f"time limits: {deadlines(again)}")
        requests = aws(command(phbatch, "submit", plan, "--retry", *batch))
        script = requests[0][1]["containerProperties"]["command"]
        for name, request in requests:
            overrides = request.get("containerOverrides", {}).get("environment", [])
            if not overrides:
                continue
            variables = {entry["name"]: entry["value"] for entry in overrides}
            done = subprocess.run(script, env={**environment, **variables})
            expect(done.returncode == 0, f"a task of AWS Batch ended with {done.returncode}")
        merge = jobs[-1]["spec"]["template"]["spec"]["containers"][0]["command"]
        done = subprocess.run(merge, env=environment, capture_output=True, text=True)
        expect(done.returncode == 0, f"the merge ended with {done.returncode}: {done.stderr}")
        expect("4 photos" in done.stdout or "4 rendered" in done.stdout, f"the merge says: {done.stdout}")
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    sys.exit(1 if FAILURES else 0)


main()

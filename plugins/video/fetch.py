"""Runs inside the sandbox: downloads the streams of one video, joins them with ffmpeg while they come, and writes the file to standard output.

Reads job.json, of which `download/job.ts` has the fields, and leaves outcome.json. Progress of the downloads goes to standard error, a line each:
`capstan INDEX DOWNLOADED TOTAL ESTIMATE SPEED REMAINING`.
"""
import json
import os
import subprocess
import sys

CHUNK = 1 << 20
# What ffmpeg writes first is held back: where it then fails, nothing has been written and the work can be done in another way.
HELD = 256 * 1024
KEPT = 2000
GRACE = 10


class Downloads:
    """One yt-dlp for each stream, each with its pipe."""

    def __init__(self, command, streams):
        self.programs, self.pipes = [], []
        for at, stream in enumerate(streams):
            template = 'download:capstan %d %%(progress.downloaded_bytes)s %%(progress.total_bytes)s %%(progress.total_bytes_estimate)s ' \
                '%%(progress.speed)s %%(progress.eta)s' % at
            # Fragments have the same names in each.
            folder = 'stream%d' % at
            os.mkdir(folder)
            words = [*command, '--load-info-json', os.path.abspath('info.json'), '--progress', '--newline', '--progress-delta', '0.5', '--progress-template', template, '-f', stream, '-o', '-']
            reading, writing = os.pipe()
            self.programs.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=writing, cwd=folder))
            os.close(writing)
            self.pipes.append(reading)

    def close(self):
        for pipe in self.pipes:
            os.close(pipe)
        self.pipes = []

    def codes(self):
        return [ended(program) for program in self.programs]


def ended(program):
    try:
        return program.wait(GRACE)
    except subprocess.TimeoutExpired:
        program.kill()
        return program.wait()


def write(descriptor, data):
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view):]


class Output:
    """Standard output, with a copy for ffprobe, which stops to read when it knows enough."""

    def __init__(self, probe, most, held):
        self.probe = subprocess.Popen(probe, stdin=subprocess.PIPE, stdout=open('probe.json', 'wb'), stderr=subprocess.DEVNULL)
        self.most, self.bytes, self.held, self.limit = most, 0, b'', held

    def add(self, data):
        self.held += data
        if len(self.held) > self.limit:
            self.flush()

    def flush(self):
        data, self.held, self.limit = self.held, b'', 0
        self.bytes += len(data)
        if self.bytes > self.most:
            raise OverflowError
        write(1, data)
        if self.probe.stdin is not None:
            try:
                write(self.probe.stdin.fileno(), data)
            except BrokenPipeError:
                self.probe.stdin = None

    def close(self):
        if self.probe.stdin is not None:
            self.probe.stdin.close()
            self.probe.stdin = None
        ended(self.probe)


def subtitles(job):
    """Downloads the subtitles; answers the names of the files that there are then."""
    if not job['subtitles']:
        return []
    words = [*job['subtitles_command'], '--load-info-json', 'info.json']
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    names = ['subs.%s.%s' % (language, ext) for language in job['subtitles'] for ext in ('vtt', 'srt')]
    return [name for name in names if os.path.isfile(name) and os.path.getsize(name) > 0]


def joining(job, inputs, found):
    """The command of ffmpeg. Sources come first, then the description with title and chapters, then the subtitles."""
    parts, meta = job['ffmpeg'], len(inputs)
    words = list(parts['program'])
    for name in inputs:
        words += [*parts['source'], '-i', name]
    words += ['-f', 'ffmetadata', '-i', 'meta']
    for name in found:
        words += ['-protocol_whitelist', 'file', '-format_whitelist', 'webvtt,srt', '-i', name]
    words += [*parts['maps'], '-map_metadata', str(meta), '-map_chapters', str(meta)]
    for at, name in enumerate(found):
        words += ['-map', '%d:s:0' % (meta + 1 + at), '-metadata:s:s:%d' % at, 'language=%s' % job['languages'][name.split('.')[1]]]
    return [*words, *parts['output'], 'pipe:1']


def written_ms():
    """Milliseconds of the file that ffmpeg has written, by its last progress report; None without one."""
    found = None
    with open('progress', encoding='latin-1') as file:
        for line in file:
            name, _, value = line.strip().partition('=')
            if name == 'out_time_us' and value.isdigit():
                found = int(value) // 1000
    return found


def main():
    with open('job.json', encoding='utf-8') as file:
        job = json.load(file)
    found = subtitles(job) if job['ffmpeg'] is not None else []
    downloads = Downloads(job['command'], job['streams'])
    ffmpeg, errors, duration = None, '', None
    if job['ffmpeg'] is None:
        source = downloads.pipes[0]
    else:
        inputs = job['files'] or ['pipe:%d' % pipe for pipe in downloads.pipes]
        with open('ffmpeg.log', 'wb') as log:
            ffmpeg = subprocess.Popen(joining(job, inputs, found), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, pass_fds=downloads.pipes)
        # Otherwise a download would wait for a reader that has gone.
        downloads.close()
        source = ffmpeg.stdout.fileno()
    output = Output(job['probe'], job['most_bytes'], 0 if ffmpeg is None else HELD)
    end = 'done'
    try:
        while data := os.read(source, CHUNK):
            output.add(data)
        code = None if ffmpeg is None else ended(ffmpeg)
        if not code:
            output.flush()
    except OverflowError:
        end, code = 'too-large', None
    except BrokenPipeError:
        end, code = 'left', None
    if end != 'done':
        for program in [*downloads.programs, *([] if ffmpeg is None else [ffmpeg])]:
            program.kill()
    if job['ffmpeg'] is None:
        downloads.close()
    output.close()
    if ffmpeg is not None:
        with open('ffmpeg.log', encoding='utf-8', errors='replace') as log:
            errors = log.read()[-KEPT:]
        duration = written_ms() if os.path.exists('progress') else None
    outcome = {'end': end, 'bytes': output.bytes, 'downloads': downloads.codes(), 'ffmpeg': code, 'errors': errors, 'ms': duration, 'subtitles': found}
    with open('outcome.json', 'w', encoding='utf-8') as file:
        json.dump(outcome, file)


main()

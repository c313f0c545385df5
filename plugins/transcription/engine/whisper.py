"""Transcribes with Whisper models in CTranslate2, by faster-whisper. Words: the folder of the English model and that of the model of all languages."""
import sys
import types

# Imported by faster-whisper and not needed: audio comes decoded, and models are files of the pack. The wheels of PyAV hold libraries under the GPL.
for name in ('av', 'huggingface_hub'):
    sys.modules.setdefault(name, types.ModuleType(name))

import numpy  # noqa: E402
from faster_whisper import WhisperModel  # noqa: E402

RATE = 16000


def open_engine(args):
    folders = {'english': args[0], 'all': args[1]}
    models = {}

    def model(name):
        if name not in models:
            models[name] = WhisperModel(folders[name], device='cpu', compute_type='int8', local_files_only=True)
        return models[name]

    def answer(given, data, tell):
        """Takes 16-bit samples and `language`, a code or None; gives segments in the form of OpenAI's verbose_json."""
        language = given['language']
        samples = numpy.frombuffer(data, dtype='<i2').astype(numpy.float32) / 32768.0
        found, info = model('english' if language == 'en' else 'all').transcribe(
            samples,
            language=language,
            beam_size=5,
            # What was misheard before is not carried on.
            condition_on_previous_text=False,
            vad_filter=True,
            word_timestamps=True,
        )
        segments = []
        for segment in found:
            segments.append(described(segment))
            tell({'done': segment.end})
        text = ''.join(each['text'] for each in segments)
        return {'text': text, 'language': info.language, 'segments': segments}, b''

    return answer


def described(segment):
    return {
        'start': float(segment.start),
        'end': float(segment.end),
        'text': segment.text,
        'avg_logprob': float(segment.avg_logprob),
        'no_speech_prob': float(segment.no_speech_prob),
        'words': [
            {'word': word.word, 'start': float(word.start), 'end': float(word.end), 'probability': float(word.probability)}
            for word in segment.words or []
        ],
    }

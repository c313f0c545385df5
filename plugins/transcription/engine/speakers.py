"""Tells speakers apart with the GE2E encoder of Resemblyzer (https://github.com/resemble-ai/Resemblyzer), in numpy. Words: the file of its weights."""
import collections
import io
import pickle
import struct

import numpy as np

RATE = 16000
FFT, HOP, MELS = 400, 160, 40
#: Frames of 10 ms in one window of the encoder.
FRAMES = 160
HIDDEN = 256
BATCH = 64
TARGET_DB = -30
#: Windows that are compared with all others; of more, some.
MOST_COMPARED = 1000
MOST_SPEAKERS = 8
#: Speakers whose mean windows are as like as this are one.
SAME = 0.9


def open_engine(args):
    with open(args[0], 'rb') as file:
        encoder = Encoder(weights(file))
    mel = filters()

    def answer(given, data, tell):
        """`embed`: 16-bit samples and the seconds of `windows` give a vector for each; `cluster`: vectors give the number of a speaker for each."""
        if given['work'] == 'embed':
            samples = np.frombuffer(data, dtype='<i2').astype(np.float32) / 32768.0
            return {}, encoder.embed(spectrum(louder(samples), mel), given['windows']).astype('<f4').tobytes()
        vectors = np.frombuffer(data, dtype='<f4').reshape(-1, HIDDEN)
        return {'speakers': [int(label) for label in clustered(vectors)]}, b''

    return answer


def louder(samples):
    level = np.sqrt(np.mean(samples**2)) if len(samples) else 0
    change = TARGET_DB - 20 * np.log10(level) if level > 0 else 0
    return samples * 10 ** (change / 20) if change > 0 else samples


def spectrum(samples, mel):
    """Power in mel bands, a row for each 10 ms, as librosa.feature.melspectrogram makes it."""
    padded = np.pad(samples, FFT // 2)
    count = 1 + (len(padded) - FFT) // HOP
    frames = np.lib.stride_tricks.as_strided(padded, (count, FFT), (padded.strides[0] * HOP, padded.strides[0]))
    window = np.hanning(FFT + 1)[:-1].astype(np.float32)
    made = np.empty((count, MELS), dtype=np.float32)
    for at in range(0, count, 2000):
        made[at : at + 2000] = (np.abs(np.fft.rfft(frames[at : at + 2000] * window)) ** 2) @ mel.T
    return made


def filters():
    """Triangles of equal area on Slaney's mel scale, a row for each band."""

    def to_mel(hertz):
        return np.where(hertz < 1000, hertz * 3 / 200, 15 + np.log(np.maximum(hertz, 1e-9) / 1000) * 27 / np.log(6.4))

    def to_hertz(mels):
        return np.where(mels < 15, mels * 200 / 3, 1000 * np.exp((mels - 15) * np.log(6.4) / 27))

    edges = to_hertz(np.linspace(to_mel(np.array(0.0)), to_mel(np.array(RATE / 2.0)), MELS + 2))
    bins = np.fft.rfftfreq(FFT, 1 / RATE)
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    return (np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


class Encoder:
    """Three layers of LSTM, a linear layer with ReLU, and a vector of length 1."""

    def __init__(self, state):
        self.layers = [
            (
                state['lstm.weight_ih_l%d' % at].T.copy(),
                state['lstm.weight_hh_l%d' % at].T.copy(),
                state['lstm.bias_ih_l%d' % at] + state['lstm.bias_hh_l%d' % at],
            )
            for at in range(3)
        ]
        self.linear = state['linear.weight'].T.copy(), state['linear.bias']

    def embed(self, mels, windows):
        vectors = np.zeros((len(windows), HIDDEN), dtype=np.float32)
        for at in range(0, len(windows), BATCH):
            batch = np.stack([cut(mels, second) for second in windows[at : at + BATCH]])
            vectors[at : at + BATCH] = self.run(batch)
        return vectors

    def run(self, given):
        for into, over, bias in self.layers:
            gates = given @ into + bias
            hidden = np.zeros((len(given), HIDDEN), dtype=np.float32)
            cell = np.zeros_like(hidden)
            given = np.empty((len(given), FRAMES, HIDDEN), dtype=np.float32)
            for frame in range(FRAMES):
                now = gates[:, frame] + hidden @ over
                taken, kept, new, shown = np.split(now, 4, axis=1)
                cell = sigmoid(kept) * cell + sigmoid(taken) * np.tanh(new)
                hidden = sigmoid(shown) * np.tanh(cell)
                given[:, frame] = hidden
        raw = np.maximum(0, hidden @ self.linear[0] + self.linear[1])
        return raw / np.maximum(1e-9, np.linalg.norm(raw, axis=1, keepdims=True))


def sigmoid(values):
    return 0.5 * (1 + np.tanh(0.5 * values))


def cut(mels, second):
    """The frames from a second on; behind the end there is silence."""
    start = max(0, int(round(second * RATE / HOP)))
    part = mels[start : start + FRAMES]
    return part if len(part) == FRAMES else np.pad(part, ((0, FRAMES - len(part)), (0, 0)))


def clustered(vectors):
    """Spectral clustering; the number of speakers is where the eigenvalues of the Laplacian make their largest step."""
    count = len(vectors)
    if count < 4:
        return np.zeros(count, dtype=int)
    chosen = np.unique(np.linspace(0, count - 1, min(count, MOST_COMPARED)).astype(int))
    some = vectors[chosen]
    likeness = np.clip(some @ some.T, 0, 1)
    np.fill_diagonal(likeness, 0)
    least = np.quantile(likeness, 2 / 3, axis=1, keepdims=True)
    sharp = np.where(likeness >= least, likeness, 0)
    sharp = (sharp + sharp.T) / 2
    values, columns = np.linalg.eigh(np.diag(sharp.sum(axis=1)) - sharp)
    most = min(MOST_SPEAKERS, len(some) - 1)
    speakers = int(np.argmax(np.diff(values[: most + 1]))) + 1
    labels = grouped(columns[:, :speakers], speakers)
    means = merged(np.stack([mean(some[labels == label]) for label in np.unique(labels)]))
    return np.argmax(vectors @ means.T, axis=1)


def merged(means):
    """One mean for speakers that are as like as one."""
    while len(means) > 1:
        likeness = means @ means.T - 2 * np.eye(len(means))
        one, other = np.unravel_index(np.argmax(likeness), likeness.shape)
        if likeness[one, other] < SAME:
            break
        rest = [at for at in range(len(means)) if at not in (one, other)]
        means = np.vstack([means[rest], mean(means[[one, other]])[None]])
    return means


def mean(vectors):
    total = vectors.sum(axis=0)
    return total / max(1e-9, np.linalg.norm(total))


def grouped(points, count):
    """k-means that begins with points far from each other, the same each time."""
    centres = [points[0]]
    while len(centres) < count:
        apart = np.min([((points - centre) ** 2).sum(axis=1) for centre in centres], axis=0)
        centres.append(points[int(np.argmax(apart))])
    centres = np.stack(centres)
    labels = np.zeros(len(points), dtype=int)
    for _ in range(50):
        found = np.argmin(((points[:, None] - centres[None]) ** 2).sum(axis=2), axis=1)
        if (found == labels).all():
            break
        labels = found
        for label in range(count):
            if (labels == label).any():
                centres[label] = points[labels == label].mean(axis=0)
    return labels


class Storage:
    """Numbers of a file of PyTorch, which are read behind its pickled part."""

    def __init__(self, key, count):
        self.key, self.count, self.numbers = key, count, None


class Tensor:
    def __init__(self, storage, offset, size, stride, *_):
        self.storage, self.offset, self.size, self.stride = storage, offset, size, stride

    def array(self):
        strides = [4 * step for step in self.stride]
        return np.lib.stride_tricks.as_strided(self.storage.numbers[self.offset :], self.size, strides).copy()


class Reader(pickle.Unpickler):
    """Makes nothing but dictionaries and tensors."""

    ALLOWED = {
        ('collections', 'OrderedDict'): collections.OrderedDict,
        ('torch._utils', '_rebuild_tensor_v2'): Tensor,
        ('torch', 'FloatStorage'): Storage,
    }

    def __init__(self, file, storages):
        super().__init__(file)
        self.storages = storages

    def find_class(self, module, name):
        made = self.ALLOWED.get((module, name))
        if made is None:
            raise pickle.UnpicklingError('%s.%s in a file of weights' % (module, name))
        return made

    def persistent_load(self, about):
        _, _, key, _, count, _ = about
        return self.storages.setdefault(key, Storage(key, count))


def weights(file):
    """Arrays by name from PyTorch's old format: a magic number, a version, facts of the machine, the object, keys of storages, storages."""
    content = io.BytesIO(file.read())
    storages = {}
    for _ in range(3):
        Reader(content, storages).load()
    checkpoint = Reader(content, storages).load()
    for key in Reader(content, storages).load():
        (count,) = struct.unpack('<q', content.read(8))
        storages[key].numbers = np.frombuffer(content.read(4 * count), dtype='<f4')
    return {name: tensor.array() for name, tensor in checkpoint['model_state'].items()}

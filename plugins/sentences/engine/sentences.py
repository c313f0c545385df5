"""Universal Sentence Encoder, multilingual (https://arxiv.org/abs/1907.04307), the convolutional one, in numpy.

Words: the file of its weights, the file of its vocabulary. The table of word pieces has 6 bits a number: row `id` belongs to chunk `id % CHUNKS`, which has
a scale and a lowest value of its own. Weights have the names that the pack gives them.
"""
import numpy as np
import sentencepiece

CHUNKS = 17
SIZE = 512
BRANCH = 256
#: Branches of the convolution: how many pieces a window has, and how many of them lie before its own.
WINDOWS = ((2, 0), (3, 1), (5, 2))
#: Rows of zeros between two sentences, so that no window reaches from one into another.
GAP = 2
#: Pieces of a text that are used, and of the texts that are computed together.
MOST_PIECES = 512
TOGETHER = 1024
BEGIN, END = 1, 2


def open_engine(args):
    weights, vocabulary = args
    encoder = Encoder(weights)
    pieces = sentencepiece.SentencePieceProcessor(model_file=vocabulary)

    def answer(given, data, tell):
        """A vector of length 1 for each of `texts`."""
        found = pieces.encode(given['texts'])
        ids = [[BEGIN, *(one[: MOST_PIECES - 2] or [0]), END] for one in found]
        vectors = np.empty((len(ids), SIZE), dtype='<f4')
        # Texts of like length are computed together.
        order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        while order:
            some, count = [], 0
            while order and count < TOGETHER:
                some.append(order.pop())
                count += len(ids[some[-1]]) + GAP
            vectors[some] = encoder.run([ids[at] for at in some])
        return {}, vectors.tobytes()

    return answer


class Encoder:
    """Word pieces, three residual convolutions of two layers each, the sum over a sentence, and a residual network of four layers."""

    def __init__(self, path):
        with np.load(path, allow_pickle=False) as file:
            self.table = np.empty((CHUNKS * len(file['q1']), SIZE), dtype=np.uint8)
            for chunk in range(CHUNKS):
                self.table[chunk::CHUNKS] = file['q%d' % (chunk + 1)]
            self.of = {name: file[name] for name in file.files if not name.startswith('q')}
        orders = [order for order, _ in WINDOWS]
        self.into = np.concatenate([self.of['proj%d' % order] for order in orders], axis=1)
        self.bias, self.scale, self.shift = (
            np.concatenate([self.of['%s%d' % (name, order)] for order in orders]) for name in ('proj_b', 'ln_g', 'ln_b')
        )
        self.least = float(np.asarray(self.of['eps']).reshape(-1)[0])

    def run(self, sentences):
        """Vectors for lists of word pieces."""
        lengths = np.array([len(ids) for ids in sentences])
        starts = np.concatenate(([0], np.cumsum(lengths + GAP)[:-1]))
        ids = np.zeros(int((lengths + GAP).sum()), dtype=np.int64)
        inside = np.zeros((len(ids), 1), dtype=np.float32)
        for start, one in zip(starts, sentences):
            ids[start : start + len(one)] = one
            inside[start : start + len(one)] = 1
        chunks = ids % CHUNKS
        words = self.table[ids] * self.of['scale'][chunks, None] + self.of['lo'][chunks, None]
        entered = self.normal(words @ self.into + self.bias, self.scale, self.shift) * inside
        features = [words]
        for at, (order, before) in enumerate(WINDOWS):
            branch = entered[:, at * BRANCH : (at + 1) * BRANCH]
            for layer in (1, 2):
                weight, bias = (self.of['%s%d_%d' % (name, layer, order)] for name in ('w', 'b'))
                branch = (branch + np.maximum(windows(branch, order, before) @ weight + bias, 0)) * inside
            features.append(branch)
        seen = self.normal(np.concatenate(features, axis=1), self.of['ln_g'], self.of['ln_b']) * inside
        count = lengths[:, None].astype(np.float32)
        # The sum of a sentence is projected once: the projection is linear.
        whole = (np.add.reduceat(seen, starts, axis=0) @ self.of['cnn_W'] + count * self.of['cnn_b']) / np.sqrt(count)
        first = np.maximum(whole @ self.of['d0'], 0)
        second = np.maximum(whole @ self.of['p1'] + first @ self.of['d1'], 0)
        third = np.maximum(second @ self.of['d2'], 0)
        made = np.tanh(second @ self.of['p3'] + third @ self.of['d3'])
        return made / np.maximum(1e-9, np.linalg.norm(made, axis=1, keepdims=True))

    def normal(self, values, scale, shift):
        """Each row with mean 0 and variance 1, scaled and shifted."""
        centred = values - values.mean(axis=1, keepdims=True)
        variance = (centred * centred).mean(axis=1, keepdims=True)
        return centred / np.sqrt(variance + self.least) * scale + shift


def windows(rows, order, before):
    """Each row with its neighbours beside it, zeros beyond the ends."""
    padded = np.pad(rows, ((before, order - 1 - before), (0, 0)))
    return np.concatenate([padded[at : at + len(rows)] for at in range(order)], axis=1)

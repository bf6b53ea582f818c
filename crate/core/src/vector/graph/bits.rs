//! Lists of ascending numbers as bits.
//!
//! A list is its length (7 bits) and, where it is not empty, a parameter `k` (5 bits) and for each number the gap
//! to the one before, less one, as a Rice code: the gap shifted right by `k` in unary (so many ones and a zero),
//! then its low `k` bits. The writer takes the `k` that gives the fewest bits, so lists of near numbers cost
//! little. Bits fill bytes from the lowest; the last byte is filled up with zeros.

/// The longest list.
pub(super) const MAX_LEN: usize = (1 << LEN_BITS) - 1;
const LEN_BITS: u32 = 7;
const K_BITS: u32 = 5;

/// Appends lists.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are used of the last byte; 0 where it is full.
    used: u32,
}

impl BitWriter {
    /// Appends a list of at most [`MAX_LEN`] different numbers, ascending.
    pub(super) fn list(&mut self, numbers: &[u32]) {
        assert!(numbers.len() <= MAX_LEN, "a point has no more links than that");
        self.bits(numbers.len() as u32, LEN_BITS);
        if numbers.is_empty() {
            return;
        }
        let gaps = gaps(numbers);
        let cost = |k: u32| gaps.iter().map(|&gap| u64::from(gap >> k) + u64::from(k) + 1).sum::<u64>();
        let k = (0..32).min_by_key(|&k| cost(k)).unwrap_or(0);
        self.bits(k, K_BITS);
        for gap in gaps {
            for _ in 0..gap >> k {
                self.bits(1, 1);
            }
            self.bits(0, 1);
            self.bits(gap & ((1 << k) - 1), k);
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Appends the low `count` bits of `value`, the lowest first.
    fn bits(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= (((value >> bit) & 1) as u8) << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }
}

/// Differences less one; the first number stands for itself.
fn gaps(numbers: &[u32]) -> Vec<u32> {
    let first = numbers.first().copied();
    first.into_iter().chain(numbers.windows(2).map(|pair| pair[1] - pair[0] - 1)).collect()
}

/// Takes lists back.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits taken so far.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next list, into `numbers`; `None` where the bits end, or a number is not below `end`.
    pub(super) fn list(&mut self, end: u32, numbers: &mut Vec<u32>) -> Option<()> {
        numbers.clear();
        let len = self.bits(LEN_BITS)?;
        if len == 0 {
            return Some(());
        }
        let k = self.bits(K_BITS)?;
        let mut next = 0_u64;
        for _ in 0..len {
            let high = u64::from(self.ones(end >> k)?);
            let number = next + (high << k) + u64::from(self.bits(k)?);
            if number >= u64::from(end) {
                return None;
            }
            numbers.push(number as u32);
            next = number + 1;
        }
        Some(())
    }

    /// Whether only the zeros that fill the last byte are left.
    pub(super) fn is_at_end(&self) -> bool {
        self.at.div_ceil(8) == self.bytes.len()
            && (self.at.is_multiple_of(8) || self.bytes[self.at / 8] >> (self.at % 8) == 0)
    }

    /// The next `count` bits, up to 31.
    fn bits(&mut self, count: u32) -> Option<u32> {
        let value = self.peek() & ((1 << count) - 1);
        self.advance(count)?;
        Some(value as u32)
    }

    /// The number of ones before the next zero; `None` where there are more than `most`.
    fn ones(&mut self, most: u32) -> Option<u32> {
        let mut ones = 0;
        loop {
            let run = self.peek().trailing_ones().min(PEEK_BITS);
            ones += run;
            if ones > most {
                return None;
            }
            if run < PEEK_BITS {
                self.advance(run + 1)?;
                return Some(ones);
            }
            self.advance(run)?;
        }
    }

    fn advance(&mut self, count: u32) -> Option<()> {
        self.at += count as usize;
        (self.at <= self.bytes.len() * 8).then_some(())
    }

    /// The next [`PEEK_BITS`] bits or more; zeros beyond the end.
    fn peek(&self) -> u64 {
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let mut eight = [0; 8];
        let len = rest.len().min(8);
        eight[..len].copy_from_slice(&rest[..len]);
        u64::from_le_bytes(eight) >> (self.at % 8)
    }
}

/// Bits that are surely there after a shift by up to 7.
const PEEK_BITS: u32 = 57;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_bits() {
        for (numbers, bytes) in [
            (vec![], vec![0b0000_0000]),
            // Length 1, k 0, gap 0.
            (vec![0], vec![0b0000_0001, 0]),
            // Length 2, k 0, gaps 1 and 0: 1000000 0, 0000 10 0 0.
            (vec![1, 2], vec![0b0000_0010, 0b0001_0000]),
        ] {
            let mut writer = BitWriter::default();
            writer.list(&numbers);
            assert_eq!(writer.finish(), bytes, "{numbers:?}");
        }
    }

    proptest! {
        #[test]
        fn lists_come_back(
            lists in proptest::collection::vec(proptest::collection::btree_set(0_u32..100_000, 0..70), 0..20)
        ) {
            let mut writer = BitWriter::default();
            let lists: Vec<Vec<u32>> = lists.into_iter().map(|list| list.into_iter().collect()).collect();
            lists.iter().for_each(|list| writer.list(list));
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            let mut numbers = Vec::new();
            for list in &lists {
                prop_assert_eq!(reader.list(100_000, &mut numbers), Some(()));
                prop_assert_eq!(list, &numbers);
            }
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..200), end in any::<u32>()) {
            let mut reader = BitReader::new(&bytes);
            let mut numbers = Vec::new();
            while reader.list(end, &mut numbers).is_some() {
                prop_assert!(numbers.is_sorted() && numbers.iter().all(|&number| number < end));
            }
        }
    }
}

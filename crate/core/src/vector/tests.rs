use super::*;
use proptest::prelude::*;

/// Pseudo-random numbers around 0: xorshift, summed for something like a bell.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        (0..4).map(|_| self.step() as f32 / (1_u64 << 24) as f32 - 0.5).sum()
    }

    fn step(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 40
    }

    fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        (0..dimensions).map(|_| self.next()).collect()
    }

    fn near(&mut self, centre: &[f32], spread: f32) -> Vec<f32> {
        centre.iter().map(|x| x + spread * self.next()).collect()
    }
}

/// Vectors in clusters of about thirty, every fifth equal to an earlier one, a few of them very often.
fn clustered(count: usize, dimensions: usize) -> Vec<Vec<f32>> {
    let mut noise = Noise(0x5eed);
    let centres: Vec<_> = (0..count.div_ceil(30)).map(|_| noise.vector(dimensions)).collect();
    let mut vectors: Vec<Vec<f32>> = Vec::new();
    for row in 0..count {
        let earlier = if row % 10 == 9 { row / 100 } else { noise.step() as usize % row.max(1) };
        let vector = match row % 5 {
            4 => vectors[earlier].clone(),
            _ => {
                let centre = &centres[noise.step() as usize % centres.len()];
                noise.near(centre, 0.6)
            }
        };
        vectors.push(vector);
    }
    vectors
}

fn written(vectors: &[Vec<f32>], settings: VectorSettings) -> Vec<Vec<u8>> {
    let mut writer = VectorWriter::new(settings);
    vectors.iter().for_each(|vector| writer.push(vector));
    writer.finish()
}

fn opened(shards: &[Vec<u8>]) -> Result<VectorIndex, VectorError> {
    VectorIndex::from_shards(&shards.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The slow, obvious search.
fn oracle(index: &VectorIndex, query: &[f32], limit: usize, keep: impl Fn(u32) -> bool) -> Vec<u32> {
    let query = quantise::QuantisedVector::new(query);
    let rows =
        (0..index.len() as u32).filter(|&row| keep(row) && index.vector(row).iter().any(|&x| x != 0.0));
    let mut found: Vec<_> = rows
        .map(|row| {
            let values = quantise::QuantisedVector::new(&index.vector(row));
            let dot = arch::scalar::dot(&query.values, &values.values);
            (row, quantise::similarity(dot, query.scale, values.scale))
        })
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(limit);
    found.into_iter().map(|(row, _)| row).collect()
}

fn rows(found: &[Neighbour]) -> Vec<u32> {
    found.iter().map(|neighbour| neighbour.row).collect()
}

fn graph_settings(dimensions: usize) -> VectorSettings {
    VectorSettings { graph_above: 0, shard_rows: 700, ..VectorSettings::new(dimensions) }
}

#[test]
fn small_indexes() {
    let plane = [
        vec![1.0, 0.0],
        vec![0.0, 1.0],
        vec![0.0, 0.0],
        vec![-1.0, 0.0],
        vec![f32::NAN, 1.0],
        vec![2.0, 0.0],
    ];
    let index = opened(&written(&plane, VectorSettings { shard_rows: 4, ..VectorSettings::new(2) }));
    let index = index.expect("opens");
    let check = |query: [f32; 2], limit: usize, expected: &[(u32, f32)]| {
        let found = index.search(&query, limit);
        assert_eq!(rows(&found), expected.iter().map(|&(row, _)| row).collect::<Vec<_>>(), "{query:?}");
        for (neighbour, (_, similarity)) in found.iter().zip(expected) {
            assert!((neighbour.similarity - similarity).abs() < 1e-6, "{query:?}: {neighbour:?}");
        }
    };
    check([1.0, 0.0], 10, &[(0, 1.0), (5, 1.0), (1, 0.0), (3, -1.0)]);
    check([1.0, 0.0], 1, &[(0, 1.0)]);
    check([1.0, 0.0], 0, &[]);
    check([0.0, 0.5], 2, &[(1, 1.0), (0, 0.0)]);
    check([0.0, 0.0], 2, &[]);
    check([f32::NAN, 1.0], 2, &[]);
    check([f32::INFINITY, 1.0], 2, &[]);
    assert_eq!((index.len(), index.dimensions(), index.parameters().graph), (6, 2, None));
    assert_eq!(index.vector(3), [-1.0, 0.0]);
    assert_eq!(index.vector(4), [0.0, 0.0]);
    assert_eq!(rows(&index.search_filtered(&[1.0, 0.0], 2, &|row| row > 0)), [5, 1]);
}

#[test]
fn without_rows() {
    for settings in [VectorSettings::new(3), graph_settings(3)] {
        let shards = written(&[], settings);
        assert_eq!(shards.len(), 1);
        let index = opened(&shards).expect("opens");
        assert!(index.is_empty() && index.search(&[1.0, 0.0, 0.0], 5).is_empty());
    }
    // Rows without direction are no points, so there is nothing to build a graph of.
    let index = opened(&written(&vec![vec![0.0; 3]; 5], graph_settings(3))).expect("opens");
    assert!(index.search(&[1.0, 0.0, 0.0], 5).is_empty());
}

#[test]
fn graph_finds_what_the_scan_finds() {
    // Building is some thirty times slower without optimisation.
    let count = if cfg!(debug_assertions) { 400 } else { 5_000 };
    let vectors = clustered(count, 32);
    let exact = opened(&written(&vectors, VectorSettings::new(32))).expect("opens");
    let shards = written(&vectors, graph_settings(32));
    let graph = opened(&shards).expect("opens");
    assert_eq!(graph.parameters().graph, Some(GraphSettings::default()));
    assert_eq!(exact.parameters().graph, None);
    let bytes_per_row = shards.last().map_or(0, Vec::len) / vectors.len();
    assert!(bytes_per_row < 80, "{bytes_per_row} bytes a row");

    let mut noise = Noise(7);
    let (mut found, mut wanted) = (0, 0);
    for row in (0..count).step_by(count / 80) {
        let query = noise.near(&vectors[row], 0.4);
        let (near, nearest) = (graph.search(&query, 10), exact.search(&query, 10));
        // A row as similar as the tenth is as good as the tenth.
        let least = nearest[9].similarity;
        found += near.iter().filter(|neighbour| neighbour.similarity >= least).count();
        wanted += nearest.len();
        let all = exact.search(&query, vectors.len());
        assert!(near.iter().all(|neighbour| all.contains(neighbour)));
        assert_eq!(near.len(), 10);
    }
    let recall = found as f32 / wanted as f32;
    assert!(recall >= 0.95, "recall@10 is {recall}");
}

#[test]
fn graph_with_filter_and_large_limits() {
    let vectors = clustered(250, 24);
    let exact = opened(&written(&vectors, VectorSettings::new(24))).expect("opens");
    let graph = opened(&written(&vectors, graph_settings(24))).expect("opens");
    // Few survive, none survive, more asked for than the graph keeps, more than there are.
    let none = |_: u32| false;
    let few = |row: u32| row % 97 == 5;
    for (limit, keep) in
        [(10, &few as &dyn Fn(u32) -> bool), (10, &none), (101, &|_| true), (5_000, &|_| true)]
    {
        let (found, expected) = (
            graph.search_filtered(&vectors[3], limit, keep),
            exact.search_filtered(&vectors[3], limit, keep),
        );
        assert_eq!(found, expected);
    }
    let odd = graph.search_filtered(&vectors[3], 10, &|row| row % 2 == 1);
    assert!(odd.len() == 10 && odd.iter().all(|neighbour| neighbour.row % 2 == 1));
}

#[test]
fn same_vectors_same_bytes() {
    let vectors = clustered(120, 16);
    assert_eq!(written(&vectors, graph_settings(16)), written(&vectors, graph_settings(16)));
    let mut settings = graph_settings(16);
    settings.graph.seed = 2;
    let (one, two) = (written(&vectors, graph_settings(16)), written(&vectors, settings.clone()));
    assert_ne!(one.last(), two.last());
    assert_eq!(opened(&two).expect("opens").parameters().graph, Some(settings.graph));
}

#[test]
fn shards_that_do_not_fit() {
    let shards = written(&clustered(300, 16), VectorSettings { shard_rows: 100, ..graph_settings(16) });
    let other = written(&clustered(300, 8), VectorSettings::new(8));
    assert_eq!(shards.len(), 4);
    let [a, b, c, graph] = [0, 1, 2, 3].map(|shard: usize| shards[shard].clone());
    let check = |shards: &[&Vec<u8>], expected: &str| {
        let shards: Vec<_> = shards.iter().map(|&shard| shard.clone()).collect();
        let error = opened(&shards).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    };
    check(&[], "got none");
    check(&[&a, &b], "got 200 rows");
    check(&[&a, &c, &b], "got 300 rows of 16 numbers from row 200");
    check(&[&a, &a], "from row 100, got 300 rows of 16 numbers from row 0");
    check(&[&a, &b, &graph], "from row 200");
    check(&[&a, &b, &c, &graph, &graph], "after the graph");
    check(&[&a, &other[0]], "rows of 8 numbers");
    check(&[&b"{\"formatVersion\":1,\"segments\":[]}".to_vec()], "another kind");
    check(&[&a[..23].to_vec()], "expected a shard of 24 bytes, got 23");
    check(&[&a[..a.len() - 1].to_vec()], "expected a shard of 1624 bytes, got 1623");
    let changed = |at: usize, to: u8| {
        let mut shard = a.clone();
        shard[at] = to;
        shard
    };
    check(&[&changed(4, 9)], "format version 9");
    check(&[&changed(6, 9)], "kind 9");
    check(&[&changed(10, 9)], "cannot have");
    check(&[&changed(30, 0x80)], "-128");
}

/// Opening is checked, and what opens can be searched: the graph must not lead out of its layers.
fn open_and_search(shards: &[Vec<u8>]) {
    if let Ok(index) = opened(shards) {
        let query: Vec<_> = (0..index.dimensions()).map(|at| at as f32 - 3.5).collect();
        assert!(index.search(&query, 10).len() <= 10);
        assert!(index.search_filtered(&query, 3, &|row| row % 3 == 0).len() <= 3);
    }
}

proptest! {
    #[test]
    fn scan_is_the_oracle(
        vectors in proptest::collection::vec(proptest::collection::vec(-3_i8..4, 5), 0..60),
        query in proptest::collection::vec(-1.0_f32..1.0, 5),
        limit in 0_usize..70,
        shard_rows in 1_usize..20,
        modulus in 1_u32..4,
    ) {
        let vectors: Vec<Vec<f32>> =
            vectors.iter().map(|vector| vector.iter().map(|&x| f32::from(x)).collect()).collect();
        prop_assume!(query.iter().any(|&x| x != 0.0));
        let settings = VectorSettings { shard_rows, ..VectorSettings::new(5) };
        let index = opened(&written(&vectors, settings)).expect("opens");
        prop_assert_eq!(rows(&index.search(&query, limit)), oracle(&index, &query, limit, |_| true));
        let keep = |row: u32| row.is_multiple_of(modulus);
        prop_assert_eq!(
            rows(&index.search_filtered(&query, limit, &keep)),
            oracle(&index, &query, limit, keep)
        );
    }

    #[test]
    fn damage_gives_an_error_or_an_index(
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), any::<proptest::sample::Index>(), 0_u8..8), 1..6),
        cut in proptest::option::of((any::<proptest::sample::Index>(), any::<proptest::sample::Index>())),
    ) {
        static SHARDS: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
        let mut shards = SHARDS
            .get_or_init(|| written(&clustered(260, 8), VectorSettings { shard_rows: 200, ..graph_settings(8) }))
            .clone();
        for (shard, at, bit) in flips {
            let shard = &mut shards[shard.index(3)];
            let at = at.index(shard.len());
            shard[at] ^= 1 << bit;
        }
        if let Some((shard, at)) = cut {
            let shard = &mut shards[shard.index(3)];
            shard.truncate(at.index(shard.len()));
        }
        open_and_search(&shards);
    }

    #[test]
    fn damage_to_the_head_of_the_graph(at in 0_usize..90, to in any::<u8>()) {
        static SHARDS: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
        let mut shards = SHARDS.get_or_init(|| written(&clustered(150, 8), graph_settings(8))).clone();
        shards[1][at] = to;
        open_and_search(&shards);
    }
}

// SPDX-License-Identifier: Apache-2.0
//! A graph traversal with a work list: a vertex is a line in far memory, its mark is far, too; some vertices cannot be reached from the first.
#![no_std]
#![no_main]

extern crate alloc;
mod program;

use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt::Write;
use program::{scattered, tasks_of, Console, SCALE, WAITING};
use tasks::{Channel, FarArray, Lock, Plain};

const VERTICES: usize = 48 * SCALE;
const WALKERS: usize = 12;
const DEGREE: usize = 6;
const LOCKS: usize = 4;

#[derive(Clone, Copy)]
#[repr(C)]
struct Vertex {
    degree: u32,
    edges: [u32; 15],
}
unsafe impl Plain for Vertex {}

struct Walk {
    graph: FarArray<Vertex>,
    marks: FarArray<u64>, // 0: not seen yet, else 1 + the vertex that led there
    locks: [Lock; LOCKS],
    work: Channel<Option<u32>, { VERTICES + WALKERS }>,
    open: Cell<usize>,
    walked: Cell<usize>,
}

fn made(v: usize) -> Vertex {
    let mut vertex = Vertex { degree: (scattered(v as u64) % DEGREE as u64) as u32, edges: [0; 15] };
    for e in 0..DEGREE {
        vertex.edges[e] = if v == 0 { e as u32 + 1 } else { (scattered((v * DEGREE + e) as u64) % VERTICES as u64) as u32 };
    }
    if v == 0 {
        vertex.degree = DEGREE as u32;
    }
    vertex
}

/// True for the first that comes to a vertex.
async fn mark(walk: &Walk, vertex: usize, from: usize) -> bool {
    let _held = walk.locks[vertex % LOCKS].hold().await;
    let is_first = walk.marks.load(vertex).await == 0;
    if is_first {
        walk.marks.store(vertex, from as u64 + 1).await;
    }
    is_first
}

async fn walk_on(walk: &Walk) {
    while let Some(at) = walk.work.receive().await {
        let here = walk.graph.load(at as usize).await;
        for edge in &here.edges[..here.degree as usize] {
            if *edge != 0 && mark(walk, *edge as usize, at as usize).await {
                walk.open.set(walk.open.get() + 1);
                walk.work.send(Some(*edge)).await;
            }
        }
        walk.walked.set(walk.walked.get() + 1);
        walk.open.set(walk.open.get() - 1);
        if walk.open.get() == 0 {
            for _ in 0..WALKERS {
                walk.work.send(None).await;
            }
        }
        tasks::yield_now().await;
    }
}

/// Each reachable vertex was walked once, and its mark names a neighbour that was reached; no other one has a mark.
fn check(walk: &Walk) {
    let neighbours = |v: usize| made(v).edges.into_iter().take(made(v).degree as usize).map(|edge| edge as usize);
    let mut reached = vec![false; VERTICES];
    let mut list: Vec<usize> = vec![0];
    reached[0] = true;
    let mut k = 0;
    while k < list.len() {
        for other in neighbours(list[k]) {
            if !core::mem::replace(&mut reached[other], true) {
                list.push(other);
            }
        }
        k += 1;
    }
    assert!(walk.walked.get() == list.len() && list.len() > VERTICES / 2 && list.len() < VERTICES);
    for v in 1..VERTICES {
        let from = walk.marks.get(v) as usize;
        assert!((from != 0) == reached[v]);
        assert!(from == 0 || reached[from - 1] && neighbours(from - 1).any(|other| other == v));
    }
}

#[no_mangle]
extern "C" fn main() -> i32 {
    let walk = Walk {
        graph: FarArray::new(VERTICES, made),
        marks: FarArray::new(VERTICES, |_| 0),
        locks: [const { Lock::new() }; LOCKS],
        work: Channel::new(),
        open: Cell::new(1),
        walked: Cell::new(0),
    };
    let walkers = tasks_of(WALKERS, |_| walk_on(&walk));
    let begin = tasks_of(1, |_| walk.work.send(Some(0)));
    tasks::run(WAITING, |spawner| {
        walkers.iter().for_each(|task| spawner.spawn(task.as_ref()));
        begin.iter().for_each(|task| spawner.spawn(task.as_ref()));
    });
    check(&walk);
    let _ = writeln!(Console, "every vertex was walked once");
    0
}

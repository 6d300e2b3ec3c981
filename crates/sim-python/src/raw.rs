//! The memory that Python and the engine share. All `unsafe` of the workspace is in this file.
//!
//! [`Shared`] keeps a `Model` or `Data` at one address and counts who is inside it, so that Rust
//! references obey Rust's rules: many readers, or one writer. [`Place`] is a pointer to the numbers
//! of one field, which numpy arrays and scalar attributes go through. The two together rest on:
//!
//! - arrays of fixed length are allocated once and never reallocated while their owner lives;
//!   whatever may change length is copied out under a [`Shared`] guard instead;
//! - every place holds plain numbers (any bit pattern is a value; flags are written as 0 or 1);
//! - whoever holds a place also holds the `Arc` of its owner;
//! - the engine leaves every such array in place, also when a panic ends a stage half-way: only
//!   `data.work`, which nobody sees, is moved out of its owner for a while.
//!
//! During a callback the engine waits, and Python uses places as at any other time.
//!
//! What the guards cannot see is a numpy array being used in one thread while another thread steps
//! the same object. As with any numpy array shared between threads, that is for the caller to
//! avoid; the engine checks every index that it reads from a table.

use std::any::Any;
use std::cell::UnsafeCell;
use std::mem::size_of;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicPtr, AtomicUsize, Ordering};

use numpy::ndarray::{ArrayView, IxDyn, ShapeBuilder};
use numpy::{Element, PyArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sim_core::fields::{Array, ArrayMut};

/// Added to the number of users of a value that is lent.
const LENT: isize = isize::MIN / 2;

/// A value at a fixed address that Rust enters through guards.
///
/// A writer may [`lend`](Shared::lend) the value for the time of a callback: then calls from the
/// same thread enter through the reference that was lent, and other threads stay out.
pub(crate) struct Shared<T> {
    /// Number of readers, or −1 when there is a writer. While the value is lent, that number of
    /// those who came in by the loan, plus [`LENT`].
    users: AtomicIsize,
    /// The thread that has lent the value; 0: none.
    lender: AtomicUsize,
    /// What that thread has lent.
    lent: AtomicPtr<T>,
    value: UnsafeCell<T>,
}

// SAFETY: references to the value are handed out only through guards, which `users` keeps apart as
// a read-write lock does; `T` itself may be sent and shared.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// A number that no other living thread has.
pub(crate) fn this_thread() -> usize {
    thread_local!(static MARK: u8 = const { 0 });
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Arc<Shared<T>> {
        Arc::new(Shared {
            users: AtomicIsize::new(0),
            lender: AtomicUsize::new(0),
            lent: AtomicPtr::new(std::ptr::null_mut()),
            value: UnsafeCell::new(value),
        })
    }

    /// Whether the value is lent by this thread, which then is inside a callback.
    pub(crate) fn is_lent_here(&self) -> bool {
        // only this thread writes its own number
        self.lender.load(Ordering::Relaxed) == this_thread()
    }

    /// What `users` is for this thread when nobody is inside, and where it enters.
    fn entrance(&self) -> (isize, *mut T) {
        match self.is_lent_here() {
            true => (LENT, self.lent.load(Ordering::Relaxed)),
            false => (0, self.value.get()),
        }
    }

    /// Enters to read; an error while someone writes.
    pub(crate) fn read(&self) -> PyResult<Reading<'_, T>> {
        let (nobody, value) = self.entrance();
        self.users
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, |n| (n >= nobody).then_some(n + 1))
            .map(|_| Reading { users: &self.users, value })
            .map_err(|_| self.busy())
    }

    /// Enters to write; an error while anyone else is inside.
    pub(crate) fn write(&self) -> PyResult<Writing<'_, T>> {
        let (nobody, value) = self.entrance();
        self.users
            .compare_exchange(nobody, nobody - 1, Ordering::Acquire, Ordering::Relaxed)
            .map(|_| Writing { users: &self.users, value })
            .map_err(|_| self.busy())
    }

    fn busy(&self) -> PyErr {
        PyRuntimeError::new_err(match self.is_lent_here() {
            true => "callbacks that compute a gain or a bias cannot change the data",
            false => "the object is in use by another call, perhaps in another thread",
        })
    }

    /// Lets this thread in while `call` runs, through `value`: the reference of the one writer.
    pub(crate) fn lend<R>(&self, value: &mut T, call: impl FnOnce() -> R) -> R {
        self.lend_as(value, LENT, call)
    }

    /// Lets this thread in to read while `call` runs, through `value`: a reference of the one
    /// writer.
    pub(crate) fn lend_to_read<R>(&self, value: &T, call: impl FnOnce() -> R) -> R {
        // one reader is inside all the time, so nobody writes through the pointer
        self.lend_as(std::ptr::from_ref(value).cast_mut(), LENT + 1, call)
    }

    fn lend_as<R>(&self, value: *mut T, users: isize, call: impl FnOnce() -> R) -> R {
        assert!(std::ptr::eq(value, self.value.get()), "what is lent is the value");
        assert_eq!(self.users.load(Ordering::Relaxed), -1, "the one writer lends");
        self.lent.store(value, Ordering::Relaxed);
        self.lender.store(this_thread(), Ordering::Relaxed);
        self.users.store(users, Ordering::Relaxed);
        let _end = EndOfLoan(self);
        call()
    }
}

/// Takes back what was lent.
struct EndOfLoan<'a, T>(&'a Shared<T>);

impl<T> Drop for EndOfLoan<'_, T> {
    fn drop(&mut self) {
        self.0.users.store(-1, Ordering::Relaxed);
        self.0.lender.store(0, Ordering::Relaxed);
    }
}

/// Shared access to a [`Shared`] value.
pub(crate) struct Reading<'a, T> {
    users: &'a AtomicIsize,
    value: *const T,
}

impl<T> Deref for Reading<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: `users` counts this guard, so no writer is inside; what is lent outlives the calls
        // of a callback, which guards live in.
        unsafe { &*self.value }
    }
}

impl<T> Drop for Reading<'_, T> {
    fn drop(&mut self) {
        self.users.fetch_sub(1, Ordering::Release);
    }
}

/// Exclusive access to a [`Shared`] value.
pub(crate) struct Writing<'a, T> {
    users: &'a AtomicIsize,
    value: *mut T,
}

impl<T> Deref for Writing<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: `users` says that a writer is inside, this one, so nobody else is; what is lent
        // outlives the calls of a callback, which guards live in.
        unsafe { &*self.value }
    }
}

impl<T> DerefMut for Writing<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.value }
    }
}

impl<T> Drop for Writing<'_, T> {
    fn drop(&mut self) {
        self.users.fetch_add(1, Ordering::Release);
    }
}

/// What numpy arrays keep alive: the owner of the memory that they show.
#[pyclass(frozen, name = "_Storage", module = "cortenforge._native")]
pub(crate) struct Storage(
    #[allow(dead_code, reason = "held, not read")] Arc<dyn Any + Send + Sync>,
);

impl Storage {
    pub(crate) fn new<T: Send + Sync + 'static>(
        py: Python<'_>,
        owner: &Arc<T>,
    ) -> PyResult<Py<Self>> {
        Py::new(py, Storage(owner.clone()))
    }
}

/// Numbers outside of any model or data, which arrays in Python show.
pub(crate) struct Buffer {
    #[allow(dead_code, reason = "held: places point into it")]
    numbers: Numbers,
    /// Where they are.
    pub(crate) place: Place,
}

#[allow(dead_code, reason = "held, not read")]
enum Numbers {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
}

impl Buffer {
    /// Copies numbers to a new buffer, in the shape `shape` of at most two dimensions.
    pub(crate) fn new(numbers: Array<'_>, shape: &[usize]) -> Arc<Buffer> {
        let mut numbers = match numbers {
            Array::F64(x) => Numbers::F64(x.to_vec()),
            Array::F32(x) => Numbers::F32(x.to_vec()),
            Array::I32(x) => Numbers::I32(x.to_vec()),
            Array::I64(x) => Numbers::I64(x.to_vec()),
            Array::U8(x) | Array::Char(x) => Numbers::U8(x.to_vec()),
        };
        // the vector moves into the buffer, its numbers stay where they are
        let place = match &mut numbers {
            Numbers::F64(x) => Place::new(ArrayMut::F64(x), shape),
            Numbers::F32(x) => Place::new(ArrayMut::F32(x), shape),
            Numbers::I32(x) => Place::new(ArrayMut::I32(x), shape),
            Numbers::I64(x) => Place::new(ArrayMut::I64(x), shape),
            Numbers::U8(x) => Place::new(ArrayMut::U8(x), shape),
        };
        Arc::new(Buffer { numbers, place })
    }
}

/// Type of the numbers at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    F64,
    F32,
    I32,
    I64,
    U8,
    I8,
    Usize,
    Bool,
}

/// Where the numbers of a field are: rows of contiguous numbers at equal distances.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    ptr: NonNull<u8>,
    pub(crate) kind: Kind,
    /// Number of dimensions: 0 (one number), 1 or 2.
    ndim: usize,
    rows: usize,
    cols: usize,
    /// Distance of rows, in numbers.
    stride: usize,
}

// SAFETY: a place is an address; what it may be used for is said at each use.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Place {
    /// The place of the numbers of a field, in the shape `shape` of at most two dimensions.
    pub(crate) fn new(array: ArrayMut<'_>, shape: &[usize]) -> Place {
        fn flat<T>(kind: Kind, slice: &mut [T]) -> (Kind, NonNull<u8>, usize) {
            (kind, NonNull::from(&mut *slice).cast(), slice.len())
        }
        let (kind, ptr, len) = match array {
            ArrayMut::F64(x) => flat(Kind::F64, x),
            ArrayMut::F32(x) => flat(Kind::F32, x),
            ArrayMut::I32(x) => flat(Kind::I32, x),
            ArrayMut::I64(x) => flat(Kind::I64, x),
            ArrayMut::U8(x) => flat(Kind::U8, x),
            ArrayMut::Char(x) => flat(Kind::I8, x),
        };
        let (rows, cols) = match *shape {
            [] => (1, 1),
            [rows] => (rows, 1),
            [rows, cols] => (rows, cols),
            _ => panic!("fields have at most two dimensions"),
        };
        assert_eq!(rows * cols, len, "shape of a field");
        Place { ptr, kind, ndim: shape.len(), rows, cols, stride: cols }
    }

    /// The place of a count.
    pub(crate) fn of_usize(value: &mut usize) -> Place {
        Place::single(NonNull::from(value).cast(), Kind::Usize)
    }

    /// The place of a flag.
    pub(crate) fn of_bool(value: &mut bool) -> Place {
        Place::single(NonNull::from(value).cast(), Kind::Bool)
    }

    fn single(ptr: NonNull<u8>, kind: Kind) -> Place {
        Place { ptr, kind, ndim: 0, rows: 1, cols: 1, stride: 1 }
    }

    /// The same field of the elements of a slice of structs, `self` being that of the first. One
    /// row per struct.
    pub(crate) fn across<T>(self, structs: &mut [T]) -> Place {
        let len = structs.len();
        // from all structs, since a pointer to the field of one may not be used for others
        let start = NonNull::from(structs).cast::<u8>();
        let offset = self.ptr.addr().get() - start.addr().get();
        assert!(offset < size_of::<T>(), "the field is one of the first struct");
        // SAFETY: the offset stays inside the slice, which has a first struct.
        let ptr = unsafe { start.add(offset) };
        let width = self.rows * self.cols;
        let stride = size_of::<T>() / self.number_size();
        assert_eq!(stride * self.number_size(), size_of::<T>());
        let ndim = if self.ndim == 0 { 1 } else { 2 };
        Place { ptr, ndim, rows: len, cols: width, stride, ..self }
    }

    fn number_size(&self) -> usize {
        match self.kind {
            Kind::F64 | Kind::I64 => 8,
            Kind::F32 | Kind::I32 => 4,
            Kind::U8 | Kind::I8 | Kind::Bool => 1,
            Kind::Usize => size_of::<usize>(),
        }
    }

    /// Whether these are the numbers of `array`.
    pub(crate) fn shows(&self, array: ArrayMut<'_>) -> bool {
        let len = array_len(&array);
        let other = Place::new(array, &[len]);
        other.ptr == self.ptr && len == self.rows * self.cols
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.rows * self.cols
    }

    /// Whether it is a single number.
    pub(crate) fn is_scalar(&self) -> bool {
        self.ndim == 0
    }

    /// `count` rows from `first` on, in as many dimensions; none if they do not exist.
    pub(crate) fn slice(&self, first: usize, count: usize) -> Option<Place> {
        if self.ndim == 0 || first.checked_add(count)? > self.rows {
            return None;
        }
        let offset = if count == 0 { 0 } else { first * self.stride * self.number_size() };
        // SAFETY: the offset stays inside the allocation, as the rows exist.
        let ptr = unsafe { self.ptr.add(offset) };
        Some(Place { ptr, rows: count, ..*self })
    }

    /// One row of a table, as one dimension; none if it does not exist.
    pub(crate) fn row(&self, row: usize) -> Option<Place> {
        let place = self.slice(row, 1)?;
        Some(Place { ndim: 1, rows: self.cols, cols: 1, stride: 1, ..place })
    }

    /// One element of a column of numbers; none if it does not exist.
    pub(crate) fn element(&self, row: usize) -> Option<Place> {
        let place = self.slice(row, 1)?;
        Some(if self.ndim == 1 { Place { ndim: 0, ..place } } else { self.row(row)? })
    }

    /// A numpy array that shows the numbers and keeps `storage`, their owner, alive.
    pub(crate) fn view<'py>(&self, py: Python<'py>, storage: &Py<Storage>) -> Bound<'py, PyAny> {
        match self.kind {
            Kind::F64 => self.view_as::<f64>(py, storage),
            Kind::F32 => self.view_as::<f32>(py, storage),
            Kind::I32 => self.view_as::<i32>(py, storage),
            Kind::I64 => self.view_as::<i64>(py, storage),
            Kind::U8 => self.view_as::<u8>(py, storage),
            Kind::I8 => self.view_as::<i8>(py, storage),
            Kind::Usize | Kind::Bool => unreachable!("counts and flags are not arrays"),
        }
    }

    fn view_as<'py, T: Element>(
        &self,
        py: Python<'py>,
        storage: &Py<Storage>,
    ) -> Bound<'py, PyAny> {
        let (shape, strides) = match self.ndim {
            1 => (IxDyn(&[self.rows]), IxDyn(&[self.stride])),
            _ => (IxDyn(&[self.rows, self.cols]), IxDyn(&[self.stride, 1])),
        };
        // SAFETY: the memory holds numbers of type `T` in this shape, does not move, and lives as
        // long as `storage`, which the array holds. The view itself is dropped right here.
        unsafe {
            let view =
                ArrayView::from_shape_ptr(shape.strides(strides), self.ptr.as_ptr().cast::<T>());
            PyArray::<T, IxDyn>::borrow_from_array(&view, storage.bind(py).clone().into_any())
                .into_any()
        }
    }

    /// The bytes of a text.
    pub(crate) fn bytes(&self) -> &[u8] {
        assert_eq!(self.kind, Kind::I8);
        // SAFETY: the owner is alive while its places are used, and bytes have no invalid values.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.rows * self.cols) }
    }

    fn load<T: Copy>(&self) -> T {
        // SAFETY: called with the type that `kind` says, at an aligned address inside a live owner;
        // volatile, since another thread may be stepping the owner.
        unsafe { self.ptr.as_ptr().cast::<T>().read_volatile() }
    }

    fn store<T: Copy>(&self, value: T) {
        // SAFETY: as for `load`.
        unsafe { self.ptr.as_ptr().cast::<T>().write_volatile(value) }
    }

    /// Copies the numbers, row after row, to an array of as many of the same type.
    pub(crate) fn copy_to(&self, target: ArrayMut<'_>) {
        match target {
            ArrayMut::F64(x) => self.copy_as(Kind::F64, x),
            ArrayMut::F32(x) => self.copy_as(Kind::F32, x),
            ArrayMut::I32(x) => self.copy_as(Kind::I32, x),
            ArrayMut::I64(x) => self.copy_as(Kind::I64, x),
            ArrayMut::U8(x) => self.copy_as(Kind::U8, x),
            ArrayMut::Char(x) => self.copy_as(Kind::I8, x),
        }
    }

    fn copy_as<T: Copy>(&self, kind: Kind, target: &mut [T]) {
        assert_eq!(self.kind, kind, "numbers are copied to numbers of their type");
        assert_eq!(self.rows * self.cols, target.len(), "and to as many");
        let mut targets = target.iter_mut();
        for row in 0..self.rows {
            for (column, target) in targets.by_ref().take(self.cols).enumerate() {
                // SAFETY: the place has these rows and columns of `T`, inside a live owner; volatile,
                // since numpy may be writing to them in another thread.
                *target = unsafe {
                    let first = self.ptr.as_ptr().cast::<T>();
                    first.add(row * self.stride + column).read_volatile()
                };
            }
        }
    }

    /// The single number as a Python object.
    pub(crate) fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.kind {
            Kind::F64 => self.load::<f64>().into_pyobject(py)?.into_any(),
            Kind::F32 => f64::from(self.load::<f32>()).into_pyobject(py)?.into_any(),
            Kind::I32 => self.load::<i32>().into_pyobject(py)?.into_any(),
            Kind::I64 => self.load::<i64>().into_pyobject(py)?.into_any(),
            Kind::U8 => self.load::<u8>().into_pyobject(py)?.into_any(),
            Kind::I8 => self.load::<i8>().into_pyobject(py)?.into_any(),
            Kind::Usize => self.load::<usize>().into_pyobject(py)?.into_any(),
            Kind::Bool => self.load::<u8>().into_pyobject(py)?.into_any(),
        })
    }

    /// Sets the single number.
    pub(crate) fn set(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match self.kind {
            Kind::F64 => self.store::<f64>(value.extract()?),
            Kind::F32 => self.store::<f32>(value.extract::<f64>()? as f32),
            Kind::I32 => self.store::<i32>(value.extract()?),
            Kind::I64 => self.store::<i64>(value.extract()?),
            Kind::U8 => self.store::<u8>(value.extract()?),
            Kind::I8 => self.store::<i8>(value.extract()?),
            Kind::Usize => self.store::<usize>(value.extract()?),
            Kind::Bool => self.store::<u8>(u8::from(value.extract::<i64>()? != 0)),
        }
        Ok(())
    }
}

/// Number of numbers of an array.
pub(crate) fn array_len(array: &ArrayMut<'_>) -> usize {
    match array {
        ArrayMut::F64(x) => x.len(),
        ArrayMut::F32(x) => x.len(),
        ArrayMut::I32(x) => x.len(),
        ArrayMut::I64(x) => x.len(),
        ArrayMut::U8(x) | ArrayMut::Char(x) => x.len(),
    }
}
